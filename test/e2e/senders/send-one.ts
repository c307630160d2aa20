/**
 * Sends one message as a user's script does: `node send-one.ts <library> <url> [handled]`. With `handled` it passes an
 * error handler to the libraries that take one. Prints what the library reports for the message.
 */
import Rudder from "@rudderstack/rudder-sdk-node";
import { Analytics } from "@segment/analytics-node";
import AnalyticsNode from "analytics-node";
import { Analytics as Analytics2 } from "segment-analytics-node-2";

const [library = "", url = "", handled] = process.argv.slice(2);
const message = { userId: "u1", event: "Report Exported", properties: {}, timestamp: new Date() };
const options = { flushAt: 1, ...(handled === undefined ? {} : { errorHandler: () => undefined }) };
const report = (error?: unknown): void =>
  console.log(error === undefined || error === null ? "delivered" : "not delivered");

switch (library) {
  case "segment-3":
    new Analytics({ host: url, writeKey: "key", flushAt: 1 }).track(message, report);
    break;
  case "segment-2":
    new Analytics2({ host: url, writeKey: "key", flushAt: 1 }).track(message, report);
    break;
  case "analytics-node-6":
    new AnalyticsNode("key", { host: url, ...options }).track(message, report);
    break;
  case "rudder":
    new Rudder("key", { dataPlaneUrl: url, logLevel: "silent", ...options }).track(message, report);
    break;
  default:
    throw new Error(`There is no library ${library}`);
}
