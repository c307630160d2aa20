/** The data processing agreement: its status, its history, and the forms that accept and withdraw it. */
import type { FC } from "hono/jsx";

import type { RecordedAgreement } from "../../services/identity.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Card, Moment, Table } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

interface AgreementCardProps {
  workspace: OpenWorkspace;
  agreements: RecordedAgreement[];
  /** Only administrators see who accepted: it is a person's name. */
  isAdmin: boolean;
  now: number;
}

export const AgreementCard: FC<AgreementCardProps> = ({ workspace, agreements, isAdmin, now }) => {
  const current = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return (
    <Card
      title="Data processing agreement"
      lead="Names and e-mail addresses of companies and people are personal data. The identity operation accepts them only while this agreement is accepted."
    >
      <p class="agreement-state">
        {current === undefined ? (
          <>
            <Badge tone="none">not accepted</Badge> Names and e-mail addresses can’t be attached.
          </>
        ) : (
          <>
            <Badge tone="good">accepted</Badge> Version {current.version}, {isAdmin && <>by {current.acceptedBy}, </>}
            <Moment at={current.acceptedAt} now={now} />
          </>
        )}
      </p>
      {isAdmin && (
        <div class="agreement-actions">
          <AcceptForm workspace={workspace} isAccepted={current !== undefined} />
          {current !== undefined && <WithdrawForm workspace={workspace} />}
        </div>
      )}
      {isAdmin && agreements.length > 0 && <History agreements={agreements} now={now} />}
    </Card>
  );
};

const AcceptForm: FC<{ workspace: OpenWorkspace; isAccepted: boolean }> = ({ workspace, isAccepted }) => (
  <details open={!isAccepted}>
    <summary>{isAccepted ? "Accept another version" : "Accept"}</summary>
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
        Accept agreement
      </button>
    </form>
  </details>
);

const WithdrawForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <details>
    <summary>Withdraw</summary>
    <form method="post" action={pathOf(workspace, "settings", "agreement", "withdraw")}>
      <p class="warning">
        This erases every name and e-mail address attached in this workspace, and questions no longer find companies and
        people by them. It can’t be undone. Events, health and the inbox are kept.
      </p>
      <button class="danger" type="submit">
        Withdraw and erase identity traits
      </button>
    </form>
  </details>
);

const History: FC<{ agreements: RecordedAgreement[]; now: number }> = ({ agreements, now }) => (
  <details>
    <summary>History ({agreements.length})</summary>
    <Table caption="History of the agreement, newest first" columns={["Version", "Accepted by", "Accepted", "Ended"]}>
      {agreements.map(({ version, acceptedBy, acceptedAt, withdrawnAt }) => (
        <tr>
          <th scope="row">{truncate(version)}</th>
          <td>{truncate(acceptedBy)}</td>
          <td>
            <Moment at={acceptedAt} now={now} />
          </td>
          <td>{withdrawnAt === null ? <Badge tone="good">current</Badge> : <Moment at={withdrawnAt} now={now} />}</td>
        </tr>
      ))}
    </Table>
  </details>
);
