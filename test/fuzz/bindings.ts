/** What of the service under test a case names: keys, ids, cursors. Of the same length in every run, where it can be. */

export interface FuzzedWorkspace {
  id: string;
  /** With all scopes. */
  key: string;
  /** A tight one has a write limit that its cases soon use up. */
  tight: boolean;
}

export interface Bindings {
  /** Milliseconds since the epoch: what lies ahead of the run is counted from it. */
  startedAt: number;
  workspaces: FuzzedWorkspace[];
  /** Keys that open less than all, or nothing any more. */
  otherKeys: string[];
  /** `null` where the service is somebody else's: then no administration is tried. */
  adminToken: string | null;
  /** Workspaces for the administration to change, fill and erase: nothing else is in them. */
  targets: { id: string; keyId: string }[];
  /** Of the first workspace. */
  itemIds: string[];
  /** Of lists of the first workspace, by path. */
  cursors: Record<string, string>;
}
