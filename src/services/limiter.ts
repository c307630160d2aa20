export { LimiterUnavailable, askObject } from "../limiter/call-limiter.ts";
export { askToSignIn, signedIn } from "../limiter/check-sign-in.ts";
export { askToWrite } from "../limiter/check-write-limit.ts";
export type { WorkspaceTraffic } from "../limiter/limiter-rpc.ts";
export { askForTraffic, noteOutcomes } from "../limiter/traffic-reporter.ts";
