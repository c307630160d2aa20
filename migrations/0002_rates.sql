ALTER TABLE `workspaces` ADD `rates` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `currency` text;