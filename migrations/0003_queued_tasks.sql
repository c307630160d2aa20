ALTER TABLE `leases` ADD `recompute_queued_at` integer;--> statement-breakpoint
ALTER TABLE `leases` ADD `archive_queued_at` integer;--> statement-breakpoint
ALTER TABLE `leases` ADD `user_erasure_queued_at` integer;