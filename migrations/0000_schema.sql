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
CREATE TABLE `databases` (
	`name` text PRIMARY KEY NOT NULL,
	`draining` integer DEFAULT false NOT NULL,
	`full` integer DEFAULT false NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `workspace_states` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`agreement` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_states_id_unique` ON `workspace_states` (`id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`write_limit` integer NOT NULL,
	`storage_limit_bytes` integer,
	`database` text NOT NULL,
	`created_at` integer NOT NULL,
	`erased_at` integer,
	`agreement_changed` integer DEFAULT false NOT NULL,
	CONSTRAINT "workspaces_number_limit" CHECK("workspaces"."number" <= 2097151)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_id_unique` ON `workspaces` (`id`);--> statement-breakpoint
CREATE TABLE `changed_subjects` (
	`seq` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `moves` (
	`workspace` integer PRIMARY KEY NOT NULL,
	`from_database` text NOT NULL,
	`to_database` text NOT NULL,
	`state` text NOT NULL,
	`cursor` text,
	`rows_copied` integer DEFAULT 0 NOT NULL,
	`rows_total` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`switched_at` integer,
	`fault` text,
	`claim` text,
	`claimed_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`attributes` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "accounts_number" CHECK("accounts"."number" >> 32 = "accounts"."workspace")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_id_unique` ON `accounts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_external_id` ON `accounts` (`workspace`,`kind`,`external_id`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`user` integer NOT NULL,
	`account` integer NOT NULL,
	`grouped_at` integer NOT NULL,
	`grouped_seq` integer NOT NULL,
	PRIMARY KEY(`user`, `account`)
) WITHOUT ROWID;
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
	`pending_attributes` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_number" CHECK("users"."number" >> 32 = "users"."workspace")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_external_id` ON `users` (`workspace`,`external_id`);--> statement-breakpoint
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
	`received_at` integer NOT NULL,
	`mapping` text
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
CREATE TABLE `account_progress` (
	`workspace` integer NOT NULL,
	`account` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_event_at` integer,
	`timeline` text DEFAULT '[]' NOT NULL,
	`summarize_from` integer,
	`score_from` integer NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`workspace`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `account_progress_due` ON `account_progress` (`workspace`,`due_at`);--> statement-breakpoint
CREATE TABLE `attribute_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`attributes` text NOT NULL,
	PRIMARY KEY(`account`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `comparisons` (
	`workspace` integer NOT NULL,
	`place` integer NOT NULL,
	`part` text NOT NULL,
	PRIMARY KEY(`workspace`, `place`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_names` (
	`number` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`name` text NOT NULL,
	CONSTRAINT "event_names_number" CHECK("event_names"."number" >> 32 = "event_names"."workspace")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_names_name` ON `event_names` (`workspace`,`name`);--> statement-breakpoint
CREATE TABLE `folds` (
	`workspace` integer PRIMARY KEY NOT NULL,
	`watermark` integer NOT NULL,
	`archived_until` integer,
	`deleted_until` integer,
	`rebuild_day` integer,
	`rebuilt_through` integer,
	`history_from` integer,
	`as_of` integer,
	`last_event_at` integer
);
--> statement-breakpoint
CREATE TABLE `pending_attribute_days` (
	`user` integer NOT NULL,
	`day` integer NOT NULL,
	`attributes` text NOT NULL,
	PRIMARY KEY(`user`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `user_accounts` (
	`user` integer NOT NULL,
	`account` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	PRIMARY KEY(`user`, `account`)
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
--> statement-breakpoint
CREATE TABLE `identity_traits` (
	`workspace` integer NOT NULL,
	`subject_kind` text NOT NULL,
	`subject` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`attached_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `subject_kind`, `subject`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `names` (
	`workspace` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`source` text NOT NULL,
	`is_part` integer NOT NULL,
	PRIMARY KEY(`workspace`, `key`, `is_part`, `kind`, `subject`, `source`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `names_subject` ON `names` (`workspace`,`kind`,`subject`,`source`);--> statement-breakpoint
CREATE TABLE `user_erasures` (
	`workspace` integer NOT NULL,
	`user` integer NOT NULL,
	`next_seq` integer NOT NULL,
	`last_seq` integer NOT NULL,
	PRIMARY KEY(`workspace`, `user`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dimension_values` (
	`workspace` integer NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`workspace`, `dimension`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `health` (
	`workspace` integer NOT NULL,
	`account` integer NOT NULL,
	`state` text NOT NULL,
	`score` real,
	`health` text NOT NULL,
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
	`evidence` text NOT NULL,
	CONSTRAINT "inbox_items_number" CHECK("inbox_items"."number" >> 32 = "inbox_items"."workspace")
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
	`workspace` integer PRIMARY KEY NOT NULL,
	`holder` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `recompute_runs` (
	`id` text NOT NULL,
	`workspace` integer NOT NULL,
	`trigger` text NOT NULL,
	`as_of` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`events_folded` integer DEFAULT 0 NOT NULL,
	`accounts_scored` integer DEFAULT 0 NOT NULL,
	`items_opened` integer DEFAULT 0 NOT NULL,
	`items_resolved` integer DEFAULT 0 NOT NULL,
	`rows_read` integer DEFAULT 0 NOT NULL,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`complete` integer DEFAULT false NOT NULL,
	`fault` text,
	PRIMARY KEY(`workspace`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `recompute_runs_started` ON `recompute_runs` (`workspace`,`started_at`);
--> statement-breakpoint
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
