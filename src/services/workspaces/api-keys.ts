export { findGrant, type KeySummary, type KeyGrant } from "../../db/workspaces/api-keys.ts";
