import type { Child } from "hono/jsx";

/** Explains the word “user-day” wherever a text has it. */
export const explainUserDays = (text: string): Child =>
  text
    .split(/(user-days?)/)
    .map((part, index) => (index % 2 === 0 ? part : <abbr title="One user who was active on one day">{part}</abbr>));
