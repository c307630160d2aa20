/** Paths of the console. */

/** Returns the path of a page of the workspace: `pathOf(workspace, "accounts", account.id)`. */
export const pathOf = ({ id }: { id: string }, ...parts: string[]): string =>
  ["/console/w", ...[id, ...parts].map(encodeURIComponent)].join("/");

type Fields = Readonly<Record<string, string | undefined>>;

/** Adds the fields of a filter to a path, so that a view can be shared. Leaves out those that have their default. */
export function withQuery(path: string, fields: Fields, defaults: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== defaults[name]) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
