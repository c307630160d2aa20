/** The account's attributes and other traits. */
import type { FC } from "hono/jsx";

import type { AccountStory } from "../../services/accounts.ts";
import { Card, Empty } from "../components/elements.tsx";
import { takeBytes } from "../components/take-bytes.ts";
import { truncate } from "../components/truncate.ts";
import { type Attribute, ATTRIBUTES, formatAttribute, formatTrait } from "./attributes.ts";

/** The currency is part of the MRR. */
const SHOWN: readonly Attribute[] = ["plan", "seats", "mrr", "stage", "trialEndsAt"];

const MAX_TRAITS_BYTES = 10_000;

export const AccountAttributes: FC<Pick<AccountStory, "attributes" | "traits">> = ({ attributes, traits }) => {
  const known = SHOWN.filter((name) => attributes[name] !== undefined);
  return (
    <Card title="Attributes">
      {known.length + traits.length === 0 ? (
        <Empty title="No attributes yet">
          <p>Send plan, seats, MRR and stage with messages that name the account.</p>
        </Empty>
      ) : (
        <dl class="account-attributes">
          {known.map((name) => (
            <div>
              <dt>{ATTRIBUTES[name]}</dt>
              <dd>{formatAttribute(name, attributes)}</dd>
            </div>
          ))}
          {takeBytes(
            traits.map(([name, value]) => (
              <div>
                <dt>
                  <code>{truncate(name)}</code>
                </dt>
                <dd>{formatTrait(value)}</dd>
              </div>
            )),
            MAX_TRAITS_BYTES,
          )}
        </dl>
      )}
    </Card>
  );
};
