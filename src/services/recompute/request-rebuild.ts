export { requestRebuild } from "../../db/recompute/request-rebuild.ts";
