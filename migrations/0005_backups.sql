ALTER TABLE `moves` ADD `backup` text;--> statement-breakpoint
ALTER TABLE `leases` ADD `backup_queued_at` integer;--> statement-breakpoint
ALTER TABLE `leases` ADD `backed_up_at` integer;