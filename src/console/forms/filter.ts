/** Filters of lists. They are part of the page's address, so that a view can be shared. */
import * as z from "zod";

/** Forms send an empty string for an option that isn't selected. */
export const emptyToUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema);

type Fields = Readonly<Record<string, string | undefined>>;

export function withQuery(path: string, fields: Fields, defaults: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== defaults[name]) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
