/** What a person may do in the console: `admin` everything, `member` read and mark, `viewer` read. */
export const ROLES = ["admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];
