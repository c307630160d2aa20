ALTER TABLE `moves` DROP COLUMN `claimed_until`;--> statement-breakpoint
ALTER TABLE `folds` DROP COLUMN `turn_begun_at`;