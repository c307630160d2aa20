CREATE TABLE `admin_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last_four` text NOT NULL,
	`read_only` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_day` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_tokens_hash_unique` ON `admin_tokens` (`hash`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`workspaces` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email_unique` ON `people` (`email`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `successor` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_day` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `origins` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `text` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `write_limit` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `sealed` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `sealed_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `segment_batches` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `import_limit` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `import_started_at` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `import_expires_at` integer;--> statement-breakpoint
CREATE INDEX `inbox_items_resolved` ON `inbox_items` (`workspace`,`resolved_day`) WHERE resolved_day IS NOT NULL;