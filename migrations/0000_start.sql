CREATE TABLE `accounts` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`attributes` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_id_unique` ON `accounts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_external_id` ON `accounts` (`workspace`,`kind`,`external_id`);--> statement-breakpoint
CREATE TABLE `agreements` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`version` text NOT NULL,
	`accepted_by` text NOT NULL,
	`accepted_at` integer NOT NULL,
	`withdrawn_at` integer
);
--> statement-breakpoint
CREATE INDEX `agreements_workspace` ON `agreements` (`workspace`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`name` text,
	`hash` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`user` integer NOT NULL,
	`account` integer NOT NULL,
	`grouped_at` integer NOT NULL,
	`grouped_seq` integer NOT NULL,
	PRIMARY KEY(`user`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `messages` (
	`seq` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`source` text NOT NULL,
	`message_id` text NOT NULL,
	`ingest_id` integer NOT NULL,
	`type` text NOT NULL,
	`account` integer,
	`user` integer,
	`event` text,
	`properties` text,
	`attributes` text,
	`occurred_at` integer NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_message_id` ON `messages` (`workspace`,`source`,`message_id`);--> statement-breakpoint
CREATE TABLE `rejection_counts` (
	`workspace` integer NOT NULL,
	`day` integer NOT NULL,
	`code` text NOT NULL,
	`count` integer NOT NULL,
	`ingest_id` integer NOT NULL,
	PRIMARY KEY(`workspace`, `day`, `code`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rejections` (
	`seq` integer PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL,
	`key_id` text NOT NULL,
	`code` text NOT NULL,
	`reason` text NOT NULL,
	`path` text,
	`type` text,
	`message_id` text,
	`user_id` text,
	`account_id` text,
	`event` text,
	`properties` text,
	`traits` text
);
--> statement-breakpoint
CREATE TABLE `traits` (
	`subject_kind` text NOT NULL,
	`subject` integer NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`occurred_at` integer NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`subject_kind`, `subject`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`external_id` text NOT NULL,
	`account` integer,
	`account_via` text,
	`grouped_at` integer,
	`grouped_seq` integer,
	`waiting` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_external_id` ON `users` (`workspace`,`external_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`write_limit` integer NOT NULL,
	`created_at` integer NOT NULL,
	`erased_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_id_unique` ON `workspaces` (`id`);