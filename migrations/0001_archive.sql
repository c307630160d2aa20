CREATE TABLE `archive_erasures` (
	`user` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_files` (
	`first` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`written_at` integer NOT NULL,
	`users` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_steps` (
	`workspace` integer PRIMARY KEY NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`day` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `storage_limit_bytes` integer;--> statement-breakpoint
ALTER TABLE `folds` ADD `archived_until` integer;--> statement-breakpoint
ALTER TABLE `folds` ADD `history_from` integer;