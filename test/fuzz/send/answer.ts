/** What came back. */
export interface Answer {
  status: number;
  /** By name in lower case; of one that stands twice, all values. */
  headers: ReadonlyMap<string, string[]>;
  body: Buffer;
}

export type Outcome =
  /** More than one where the bytes were those of several requests. */
  | { kind: "answered"; answers: Answer[]; ms: number }
  /** The connection ended without an answer. */
  | { kind: "closed"; problem: string }
  /** Nothing, for as long as nobody waits. */
  | { kind: "hung" };

/** Far beyond what any request takes, on a machine with other things to do as well: what has not come by then never will. */
export const HUNG_AFTER_MS = 30_000;
