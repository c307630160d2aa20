/** What an opened message of the log contains, and how it was processed. */
import type { Child, FC } from "hono/jsx";

import { explainMapping } from "../../core/ingest/explain-mapping.ts";
import type { Arrival } from "../../db/events/arrivals.ts";
import type { RejectedArrival } from "../../db/events/rejections.ts";
import { Detail } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";

/** With these, a page with an opened message stays small. */
const MAX_DETAIL_CHARACTERS = 300;
const MAX_PAYLOAD_CHARACTERS = 6_000;

/** Says why a message was rejected, with the field that is wrong. */
export const rejectionText = ({ path, reason }: RejectedArrival, maxCharacters = MAX_DETAIL_CHARACTERS): string =>
  truncate(path === null || reason.startsWith(path) ? reason : `${path}: ${reason}`, maxCharacters);

export const StoredDetails: FC<{ message: Arrival }> = ({ message }) => {
  const { type, event, source, messageId, account, user, properties, occurredAt, receivedAt } = message;
  const mapping = explainMapping(message);
  const [occurred, received] = [occurredAt, receivedAt].map((at) => new Date(at).toISOString());
  const [accountId, userId] = [account?.externalId ?? null, user?.externalId ?? null];
  return (
    <Details
      facts={{ Name: mapping.name, Account: mapping.account, Time: `${occurred}: ${mapping.time}`, Message: messageId }}
      json={{
        type,
        event,
        messageId,
        accountId,
        userId,
        source,
        occurredAt: occurred,
        receivedAt: received,
        properties,
      }}
    />
  );
};

export const RejectedDetails: FC<{ message: RejectedArrival }> = ({ message }) => {
  const { seq: _seq, keyId: _keyId, receivedAt, ...kept } = message;
  return (
    <Details
      facts={{ Reason: rejectionText(message), Message: message.messageId }}
      json={{ ...kept, receivedAt: new Date(receivedAt).toISOString() }}
    />
  );
};

const Details: FC<{ facts: Record<string, Child>; json: object }> = ({ facts, json }) => {
  const text = JSON.stringify(json, null, 2);
  const shown = truncate(text, MAX_PAYLOAD_CHARACTERS);
  return (
    <>
      <dl class="details">
        {Object.entries(facts).map(
          ([label, value]) =>
            value !== null && (
              <Detail name={label}>{typeof value === "string" ? truncate(value, MAX_DETAIL_CHARACTERS) : value}</Detail>
            ),
        )}
      </dl>
      <pre id="payload" class="payload" tabindex={0} aria-label="Message as JSON">
        {shown}
      </pre>
      {shown === text ? (
        <button type="button" data-copy-from="payload" data-label="Copy as JSON" hidden>
          Copy as JSON
        </button>
      ) : (
        <p class="note">This message is too long to show. Download the messages of its day in the settings.</p>
      )}
    </>
  );
};
