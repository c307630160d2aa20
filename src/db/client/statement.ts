export type Value = string | number | null;
export type Row = Record<string, Value>;

type NoRow = Record<string, never>;

/** SQL text with the values it binds, from ?1 on. `R` is the row it returns. */
export interface Statement<R = NoRow> {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Carries the type only; never set. */
  readonly row?: R;
}
