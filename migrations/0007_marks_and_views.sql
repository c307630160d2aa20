CREATE TABLE `activities` (
	`account` integer NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`item` integer NOT NULL,
	`by` text NOT NULL,
	`detail` text,
	PRIMARY KEY(`account`, `at`, `action`, `item`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `saved_views` (
	`workspace` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `dismiss_reason` text;--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `contacted_at` integer;--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `contacted_by` text;--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `note` text;--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `note_by` text;--> statement-breakpoint
ALTER TABLE `inbox_marks` ADD `note_at` integer;