/** The data processing agreement: its status, its history, and the forms that accept and withdraw it. */
import type { FC } from "hono/jsx";

import type { RecordedAgreement } from "../../db/identity/agreement.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Moment } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { Field } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";
import { AGREEMENT_VERSION, AgreementText } from "./agreement-text.tsx";

const MAX_ROWS_BYTES = 10_000;

interface AgreementCardProps {
  workspace: OpenWorkspace;
  agreements: RecordedAgreement[];
  /** Only administrators see who accepted: it is a person's name. */
  isAdmin: boolean;
  canChange: boolean;
}

export const AgreementCard: FC<AgreementCardProps> = ({ workspace, agreements, isAdmin, canChange }) => {
  const current = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return (
    <Card
      title="Data processing agreement"
      lead="Names and e-mail addresses of companies and people are personal data. The identity operation accepts them only while this agreement is accepted."
    >
      <p>
        {current === undefined ? (
          <>
            <Badge tone="none">not accepted</Badge> Names and e-mail addresses can’t be attached.
          </>
        ) : (
          <>
            <Badge tone="good">accepted</Badge> Version {current.version}, {isAdmin && <>by {current.acceptedBy}, </>}
            <Moment at={current.acceptedAt} />
          </>
        )}
      </p>
      <details open={current === undefined}>
        <summary>The text of the agreement</summary>
        <AgreementText />
      </details>
      {canChange && (
        <>
          <AcceptForm workspace={workspace} isAccepted={current !== undefined} />
          {current !== undefined && <WithdrawForm workspace={workspace} />}
        </>
      )}
      {isAdmin && agreements.length > 0 && (
        <details>
          <summary>History ({agreements.length})</summary>
          <Table
            caption="History of the agreement, newest first"
            columns={COLUMNS}
            rows={agreements}
            maxBytes={MAX_ROWS_BYTES}
            whereAll={`GET /admin/workspaces/${workspace.id} lists all of them.`}
          />
        </details>
      )}
    </Card>
  );
};

const AcceptForm: FC<{ workspace: OpenWorkspace; isAccepted: boolean }> = ({ workspace, isAccepted }) => (
  <details open={!isAccepted}>
    <summary>{isAccepted ? "Accept another version" : "Accept"}</summary>
    <form method="post" action={pathOf(workspace, "settings", "agreement")} class="row" autocomplete="off">
      <Field label="Accepted by" name="acceptedBy" required maxlength={200} placeholder="Jo Doe, Acme Analytics" grow />
      <Field label="Version" name="version" required maxlength={200} value={AGREEMENT_VERSION} />
      <button class="primary" type="submit">
        Accept agreement
      </button>
      <span class="note">If you have signed another agreement, enter its version.</span>
    </form>
  </details>
);

const WithdrawForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <details>
    <summary>Withdraw</summary>
    <form class="stack" method="post" action={pathOf(workspace, "settings", "agreement", "withdraw")}>
      <p class="warning">
        This erases every name and e-mail address attached in this workspace, and questions no longer find companies and
        people by them. It can’t be undone. Events, health and the inbox are kept.
      </p>
      <button class="bad" type="submit">
        Withdraw and erase identity traits
      </button>
    </form>
  </details>
);

const COLUMNS: TableColumns<RecordedAgreement> = [
  { title: "Version", cell: ({ version }) => truncate(version) },
  { title: "Accepted by", cell: ({ acceptedBy }) => truncate(acceptedBy) },
  { title: "Accepted", cell: ({ acceptedAt }) => <Moment at={acceptedAt} /> },
  {
    title: "Ended",
    cell: ({ withdrawnAt }) =>
      withdrawnAt === null ? <Badge tone="good">current</Badge> : <Moment at={withdrawnAt} />,
  },
];
