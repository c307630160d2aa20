/**
 * Opens Segment's Node library, in its current and its previous version. Both post JSON to `<host>/v1/batch`. Version 3
 * sends its key as Basic authentication and in the body, version 2 only in the body.
 */
import { Analytics } from "@segment/analytics-node";
import { Analytics as Analytics2 } from "segment-analytics-node-2";

import { type Sender, senderOf, type SenderOptions } from "./sender.ts";

export function segment3({ url, writeKey, flushAt }: SenderOptions): Sender {
  return senderOf(new Analytics({ host: url, writeKey, flushAt }));
}

export function segment2({ url, writeKey, flushAt }: SenderOptions): Sender {
  return senderOf(new Analytics2({ host: url, writeKey, flushAt }));
}
