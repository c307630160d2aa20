CREATE TABLE `account_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`events` integer NOT NULL,
	`user_days` integer NOT NULL,
	`users` text NOT NULL,
	`features` text NOT NULL,
	PRIMARY KEY(`account`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `activity` (
	`workspace` integer NOT NULL,
	`account` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_event_at` integer,
	`timeline` text DEFAULT '[]' NOT NULL,
	`condense_from` integer,
	`score_from` integer NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`workspace`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `activity_due` ON `activity` (`workspace`,`due_at`);--> statement-breakpoint
CREATE TABLE `attribute_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`attributes` text NOT NULL,
	PRIMARY KEY(`account`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_names` (
	`number` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_names_name` ON `event_names` (`workspace`,`name`);--> statement-breakpoint
CREATE TABLE `folds` (
	`workspace` integer PRIMARY KEY NOT NULL,
	`watermark` integer NOT NULL,
	`deleted_until` integer,
	`rebuild_day` integer,
	`rebuilt_through` integer,
	`scored_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `health` (
	`workspace` integer NOT NULL,
	`account` integer NOT NULL,
	`state` text NOT NULL,
	`score` real,
	`health` text NOT NULL,
	`inputs_hash` text NOT NULL,
	PRIMARY KEY(`workspace`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `health_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`state` text NOT NULL,
	`band` text,
	`score` real,
	`uncapped` real,
	`coverage` real NOT NULL,
	`confidence` text,
	`losses` text NOT NULL,
	PRIMARY KEY(`account`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inbox_items` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`account` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`occurrence` integer NOT NULL,
	`opened_day` integer NOT NULL,
	`confirmed_day` integer NOT NULL,
	`resolved_day` integer,
	`resolution` text,
	`severity` text NOT NULL,
	`confidence` text NOT NULL,
	`rank` real NOT NULL,
	`due_at` integer,
	`evidence` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_items_id_unique` ON `inbox_items` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_items_identity` ON `inbox_items` (`workspace`,`account`,`kind`,`subject`,`occurrence`);--> statement-breakpoint
CREATE INDEX `inbox_items_open` ON `inbox_items` (`workspace`,`rank`) WHERE resolved_day IS NULL;--> statement-breakpoint
CREATE TABLE `inbox_marks` (
	`item` integer PRIMARY KEY NOT NULL,
	`dismissed_at` integer,
	`snoozed_until` integer
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `recompute_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`trigger` text NOT NULL,
	`as_of` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`events_folded` integer DEFAULT 0 NOT NULL,
	`accounts_scored` integer DEFAULT 0 NOT NULL,
	`items_opened` integer DEFAULT 0 NOT NULL,
	`items_resolved` integer DEFAULT 0 NOT NULL,
	`events_deleted` integer DEFAULT 0 NOT NULL,
	`rows_read` integer DEFAULT 0 NOT NULL,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`complete` integer DEFAULT false NOT NULL,
	`fault` text
);
--> statement-breakpoint
CREATE INDEX `recompute_runs_started` ON `recompute_runs` (`started_at`);--> statement-breakpoint
CREATE TABLE `rollups` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`user` integer NOT NULL,
	`event` integer NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`account`, `day`, `user`, `event`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `waiting_attribute_days` (
	`user` integer NOT NULL,
	`day` integer NOT NULL,
	`attributes` text NOT NULL,
	PRIMARY KEY(`user`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workspace_contexts` (
	`workspace` integer NOT NULL,
	`day` integer NOT NULL,
	`context` text NOT NULL,
	PRIMARY KEY(`workspace`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workspace_days` (
	`workspace` integer NOT NULL,
	`day` integer NOT NULL,
	`events` integer NOT NULL,
	`accounts` integer,
	`user_days` integer,
	PRIMARY KEY(`workspace`, `day`)
) WITHOUT ROWID;
