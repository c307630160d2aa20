CREATE TABLE `account_owners` (
	`account` integer PRIMARY KEY NOT NULL,
	`owner` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`destination` integer NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`notification` integer,
	`notification_id` text NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`status` integer,
	`outcome` text NOT NULL,
	PRIMARY KEY(`destination`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `destinations` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`kind` text NOT NULL,
	`shown_url` text NOT NULL,
	`sealed` text NOT NULL,
	`sealed_by` text NOT NULL,
	`events` text NOT NULL,
	`filter` text NOT NULL,
	`include_identity` integer NOT NULL,
	`digest` text,
	`digest_due_at` integer,
	`digest_through` integer,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`busy_until` integer,
	`disabled_at` integer,
	`disabled_reason` text,
	CONSTRAINT "destinations_number" CHECK("destinations"."number" >> 32 = "destinations"."workspace")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `destinations_id_unique` ON `destinations` (`id`);--> statement-breakpoint
CREATE INDEX `destinations_digest_due` ON `destinations` (`digest_due_at`) WHERE digest_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `notifications` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`destination` integer NOT NULL,
	`type` text NOT NULL,
	`subject` integer NOT NULL,
	`day` integer NOT NULL,
	`change` text NOT NULL,
	`detail` text,
	`created_at` integer NOT NULL,
	`next_attempt_at` integer,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_news` ON `notifications` (`destination`,`type`,`subject`,`day`,`change`);--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`destination`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `timezone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `folds` ADD `quiet_through` integer;