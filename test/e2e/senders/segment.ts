/**
 * Segment's Node library, the present one and the one before it. Both post JSON to `<host>/v1/batch`. The present one
 * sends its key as Basic authentication and in the body, the one before it in the body only.
 */
import { Analytics } from "@segment/analytics-node";
import { Analytics as Analytics2 } from "segment-analytics-node-2";

import { Deliveries, type Sender, type SenderOptions } from "./sender.ts";

export function segment3({ url, writeKey, flushAt }: SenderOptions): Sender {
  return sender(new Analytics({ host: url, writeKey, flushAt }));
}

export function segment2({ url, writeKey, flushAt }: SenderOptions): Sender {
  return sender(new Analytics2({ host: url, writeKey, flushAt }));
}

function sender(client: Analytics | Analytics2): Sender {
  const deliveries = new Deliveries();
  return {
    track: (message) => client.track(message, deliveries.next()),
    identify: (message) => client.identify(message, deliveries.next()),
    group: (message) => client.group(message, deliveries.next()),
    page: (message) => client.page(message, deliveries.next()),
    flush: async () => {
      await client.flush();
      await deliveries.all();
    },
  };
}
