/** The named tokens of administrators, with the forms that create and delete them. */
import type { FC } from "hono/jsx";

import type { AdminToken } from "../../db/people/people.ts";
import { isoDate } from "../../services/present/iso.ts";
import { Badge, Card, Empty, orNone } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { Confirm } from "./people-list.tsx";

const TOKENS = "/console/tokens";
const MAX_TOKENS_BYTES = 30_000;

export const TokensCard: FC<{ tokens: AdminToken[] }> = ({ tokens }) => (
  <Card
    title="Administrators’ tokens"
    lead="For programs and people who administer this deployment. Each works like the admin token, except that it can’t manage these tokens (/admin/tokens): only the admin token and people with the role “admin” do."
  >
    <Table
      caption="Tokens, newest first"
      class="keys narrow"
      columns={TOKEN_COLUMNS}
      rows={tokens}
      maxBytes={MAX_TOKENS_BYTES}
      whereAll="GET /admin/tokens lists all of them."
      empty={<Empty title="No named tokens" />}
    />
    <form method="post" action={TOKENS} class="row settings-form" autocomplete="off">
      <CreationId />
      <Field label="Name" name="name" required maxlength={200} pattern=".*\S.*" placeholder="Dashboards" grow />
      <label class="cluster">
        <input type="checkbox" name="readOnly" value="true" checked /> only reads
      </label>
      <button class="primary" type="submit">
        Create token
      </button>
    </form>
  </Card>
);

const TOKEN_COLUMNS: TableColumns<AdminToken> = [
  {
    title: "Name",
    cell: ({ name, lastFour, readOnly }) => (
      <>
        {truncate(name)} <code class="note">…{lastFour}</code> {readOnly && <Badge tone="none">only reads</Badge>}
      </>
    ),
  },
  { title: "Last used", cell: ({ lastUsedDay }) => orNone(lastUsedDay === null ? null : isoDate(lastUsedDay)) },
  {
    title: <span class="visually-hidden">Delete</span>,
    class: "num",
    cell: ({ id, name }) => (
      <Confirm
        does="Delete"
        {...{ name }}
        action={`${TOKENS}/${id}/delete`}
        note="Programs with this token stop working at once, and its sessions end."
      />
    ),
  },
];
