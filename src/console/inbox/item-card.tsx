/** One item of the inbox: what happened to whom, on which figures, what to do about it, and the ways to put it aside. */
import type { FC } from "hono/jsx";

import { ERASED_NAME } from "../../core/erased-name.ts";
import { momentDate, dateOf, datesOf, inFigures } from "../../core/health/texts.ts";
import type { InboxItem, ItemEvidence } from "../../core/inbox/model.ts";
import type { ListedItem, Mrr } from "../../services/inbox.ts";
import { presentItem } from "../../edge/present/item.ts";
import { pathOf } from "../session/context.ts";
import { amount, Badge } from "../components/elements.tsx";
import type { InboxFilter } from "./inbox-filter.ts";
import { ItemActions } from "./item-actions.tsx";
import {
  figureName,
  figureOf,
  isOpportunity,
  KIND_NAMES,
  RESOLUTION_NAMES,
  SEVERITY_NAMES,
  toneOf,
} from "./item-words.ts";
import { shortlyNamed } from "./truncate-names.ts";

interface ItemCardProps {
  workspace: { id: string };
  listed: ListedItem;
  filter: InboxFilter;
  mayMark: boolean;
  now: number;
}

export const ItemCard: FC<ItemCardProps> = ({ workspace, listed, filter, mayMark, now }) => {
  const { item, mrr, id } = listed;
  const short = shortlyNamed(listed);
  const { account } = short;
  const { title, why, suggestedAction, closesWhen } = presentItem(short);
  return (
    <article class="card item" aria-labelledby={id}>
      <div>
        <p class="item-kind">
          <Badge tone={toneOf(item.kind, item.severity)}>
            {SEVERITY_NAMES[item.severity]}
            <span class="visually-hidden"> severity</span>
          </Badge>
          {KIND_NAMES[item.kind]}
        </p>
        <h2 id={id}>{title}</h2>
        <p>{why}</p>
        <dl class="item-facts">
          {account !== null && (
            <Fact name="Account">
              <a href={pathOf(workspace, "accounts", account.id)}>{account.externalId ?? ERASED_NAME}</a>
            </Fact>
          )}
          {mrr !== null && <Fact name={isOpportunity(item.kind) ? "MRR" : "MRR at stake"}>{money(mrr)}</Fact>}
          {item.dueAt !== null && <Fact name="Deadline">{momentDate(item.dueAt)}</Fact>}
          <Fact name="Since">{dateOf(item.openedDay)}</Fact>
          <Fact name="Confidence">{SEVERITY_NAMES[item.confidence]}</Fact>
          <Fact name="Rank">{inFigures(item.rank)}</Fact>
        </dl>
        {item.evidence.length > 0 && <EvidenceTable item={item} />}
      </div>
      <div class="item-side">
        {item.resolvedDay === null ? (
          <>
            <h3>What to do</h3>
            <p>{suggestedAction}</p>
            <p class="note">Closes by itself: {closesWhen}</p>
          </>
        ) : (
          <>
            <h3>Resolved on {dateOf(item.resolvedDay)}</h3>
            {item.resolution !== null && <p>{RESOLUTION_NAMES[item.resolution]}</p>}
          </>
        )}
        {mayMark && item.resolvedDay === null && <ItemActions {...{ workspace, listed, title, filter, now }} />}
      </div>
    </article>
  );
};

const Fact: FC<{ name: string; children?: unknown }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const money = ({ amount: figure, currency }: Mrr): string => [amount(figure), currency].filter(Boolean).join(" ");

/** Figures without days of their own are those of the day that the item was last confirmed. */
const EvidenceTable: FC<{ item: InboxItem }> = ({ item }) => (
  <table class="evidence">
    <caption class="note">Evidence, as of {dateOf(item.confirmedDay)}</caption>
    <thead>
      <tr>
        <th scope="col">Figure</th>
        <th scope="col" class="num">
          Seen
        </th>
        <th scope="col" class="num">
          Against
        </th>
      </tr>
    </thead>
    <tbody>
      {item.evidence.map((seen) => (
        <EvidenceRow seen={seen} />
      ))}
    </tbody>
  </table>
);

const EvidenceRow: FC<{ seen: ItemEvidence }> = ({ seen: { code, value, expected, window } }) => (
  <tr>
    <th scope="row">
      {figureName(code)}
      {window !== undefined && <span class="note"> {datesOf(window)}</span>}
    </th>
    <td class="num">{figureOf(code, value)}</td>
    <td class="num">{expected === undefined ? "–" : figureOf(code, expected)}</td>
  </tr>
);
