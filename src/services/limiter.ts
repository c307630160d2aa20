export { LimiterUnavailable } from "../limiter/call-limiter.ts";
export { askToSignIn, signedIn } from "../limiter/check-sign-in.ts";
export type { WorkspaceTraffic } from "../limiter/limiter-rpc.ts";
export { askForTraffic } from "../limiter/traffic-reporter.ts";
