ALTER TABLE `event_names` ADD `first_day` integer;--> statement-breakpoint
ALTER TABLE `event_names` ADD `last_day` integer;--> statement-breakpoint
UPDATE `event_names` SET `first_day` = `seen`.`first`, `last_day` = `seen`.`last`
FROM (SELECT `event`, min(`day`) AS `first`, max(`day`) AS `last` FROM `rollups` GROUP BY `event`) AS `seen`
WHERE `event_names`.`number` = `seen`.`event`;
