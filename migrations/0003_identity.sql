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
CREATE TABLE `user_erasures` (
	`workspace` integer NOT NULL,
	`user` integer NOT NULL,
	`next_seq` integer NOT NULL,
	`last_seq` integer NOT NULL,
	PRIMARY KEY(`workspace`, `user`)
) WITHOUT ROWID;
