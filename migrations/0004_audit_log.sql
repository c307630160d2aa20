CREATE TABLE `audit_log` (
	`number` integer PRIMARY KEY NOT NULL,
	`workspace` text,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_workspace` ON `audit_log` (`workspace`);--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);