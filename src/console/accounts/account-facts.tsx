/** What senders say of an account: its attributes, and whatever else they sent of it. */
import type { FC } from "hono/jsx";

import type { AccountStory } from "../../services/accounts.ts";
import { fitting } from "../components/take-bytes.ts";
import { Card, Empty } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { type Attribute, ATTRIBUTES, attributeText, traitText } from "./account-words.ts";

/** The currency stands with the MRR. */
const SHOWN: readonly Attribute[] = ["plan", "seats", "mrr", "stage", "trialEndsAt"];

const MAX_TRAITS_BYTES = 10_000;

export const AccountFacts: FC<Pick<AccountStory, "attributes" | "traits">> = ({ attributes, traits }) => {
  const known = SHOWN.filter((name) => attributes[name] !== undefined);
  return (
    <Card title="What senders say of it">
      {known.length + traits.length === 0 ? (
        <Empty title="Nothing yet">
          <p>Plan, seats, MRR and stage come with messages that name the account.</p>
        </Empty>
      ) : (
        <dl class="account-facts">
          {known.map((name) => (
            <div>
              <dt>{ATTRIBUTES[name]}</dt>
              <dd>{attributeText(name, attributes)}</dd>
            </div>
          ))}
          {fitting(
            traits.map(([name, value]) => (
              <div>
                <dt>
                  <code>{shortened(name)}</code>
                </dt>
                <dd>{traitText(value)}</dd>
              </div>
            )),
            MAX_TRAITS_BYTES,
          )}
        </dl>
      )}
    </Card>
  );
};
