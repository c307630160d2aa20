CREATE TABLE `name_grams` (
	`workspace` integer NOT NULL,
	`gram` text NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`workspace`, `gram`, `kind`, `subject`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `names` (
	`workspace` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`source` text NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`workspace`, `key`, `kind`, `subject`, `source`, `text`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `names_subject` ON `names` (`workspace`,`kind`,`subject`,`source`);--> statement-breakpoint
CREATE TABLE `user_accounts` (
	`user` integer NOT NULL,
	`account` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	PRIMARY KEY(`user`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `folds` ADD `last_event_at` integer;
--> statement-breakpoint
UPDATE `folds` SET `last_event_at` = (SELECT max(`last_event_at`) FROM `activity` WHERE `activity`.`workspace` = `folds`.`workspace`);
--> statement-breakpoint
INSERT INTO `user_accounts` (`user`, `account`, `first_day`, `last_day`)
SELECT `user`, `account`, min(`day`), max(`day`) FROM `rollups` WHERE `user` > 0 GROUP BY `user`, `account`;
