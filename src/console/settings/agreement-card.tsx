/**
 * The data processing agreement: what it opens, who accepted it, and how it is withdrawn. Who it was is a person's name,
 * which the API too gives to the admin token alone.
 */
import type { FC } from "hono/jsx";

import type { RecordedAgreement } from "../../services/identity.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { Badge, Card, Moment } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";

interface AgreementCardProps {
  workspace: OpenWorkspace;
  agreements: RecordedAgreement[];
  isAdmin: boolean;
  now: number;
}

export const AgreementCard: FC<AgreementCardProps> = ({ workspace, agreements, isAdmin, now }) => {
  const standing = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return (
    <Card
      title="Data processing agreement"
      lead="Names and e-mail addresses of companies and people are personal data. They are taken by one operation alone, and only while somebody answers for it that this service may process them."
    >
      <p class="agreement-state">
        {standing === undefined ? (
          <>
            <Badge tone="none">not accepted</Badge> No names or e-mail addresses can be attached.
          </>
        ) : (
          <>
            <Badge tone="good">accepted</Badge> Version {standing.version}, {isAdmin && <>by {standing.acceptedBy}, </>}
            <Moment at={standing.acceptedAt} now={now} />
          </>
        )}
      </p>
      {isAdmin && (
        <div class="agreement-actions">
          <AcceptForm workspace={workspace} again={standing !== undefined} />
          {standing !== undefined && <WithdrawForm workspace={workspace} />}
        </div>
      )}
      {isAdmin && agreements.length > 0 && <History agreements={agreements} now={now} />}
    </Card>
  );
};

const AcceptForm: FC<{ workspace: OpenWorkspace; again: boolean }> = ({ workspace, again }) => (
  <details open={!again}>
    <summary>{again ? "Accept another version" : "Accept it"}</summary>
    <form method="post" action={pathOf(workspace, "settings", "agreement")} class="row" autocomplete="off">
      <div class="grow">
        <label for="accepted-by">Accepted by</label>
        <input id="accepted-by" name="acceptedBy" required maxlength={200} placeholder="Jo Doe, Acme Analytics" />
      </div>
      <div>
        <label for="version">Version</label>
        <input id="version" name="version" required maxlength={200} placeholder="2026-01" />
      </div>
      <button class="primary" type="submit">
        Accept the agreement
      </button>
    </form>
  </details>
);

const WithdrawForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <details>
    <summary>Withdraw it</summary>
    <form method="post" action={pathOf(workspace, "settings", "agreement", "withdraw")}>
      <Warning />
      <button class="danger" type="submit">
        Withdraw, and erase all identity traits
      </button>
    </form>
  </details>
);

const Warning: FC = () => (
  <p class="warning">
    This erases every name and e-mail address that was attached in this workspace, of companies and of people, and what
    questions find them by. It can’t be undone. Events, health and the inbox stay.
  </p>
);

const History: FC<{ agreements: RecordedAgreement[]; now: number }> = ({ agreements, now }) => (
  <details>
    <summary>History ({agreements.length})</summary>
    <div class="table-scroll" role="region" aria-label="History of the agreement" tabindex={0}>
      <table>
        <caption class="visually-hidden">Acceptances of the agreement, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Accepted by</th>
            <th scope="col">Accepted</th>
            <th scope="col">Ended</th>
          </tr>
        </thead>
        <tbody>
          {agreements.map(({ version, acceptedBy, acceptedAt, withdrawnAt }) => (
            <tr>
              <th scope="row">{shortened(version)}</th>
              <td>{shortened(acceptedBy)}</td>
              <td>
                <Moment at={acceptedAt} now={now} />
              </td>
              <td>
                {withdrawnAt === null ? <Badge tone="good">stands</Badge> : <Moment at={withdrawnAt} now={now} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
