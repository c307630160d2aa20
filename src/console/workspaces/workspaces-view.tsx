import type { FC } from "hono/jsx";

import type { ListedWorkspace } from "../../services/workspaces/workspaces.ts";
import { Card, Empty, FormError, Heading, Moment, NoValue, Pager, Table } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { CreationId } from "../forms/creation-id.tsx";
import { NameAndLimit } from "../forms/name-and-limit.tsx";
import { pathOf } from "../session/context.ts";

export interface EnteredWorkspace {
  name: string;
  writeLimit: string;
}

interface WorkspacesViewProps {
  workspaces: ListedWorkspace[];
  updatedAt: number | null;
  next: string | null;
  first: string | null;
  entered: EnteredWorkspace;
  error: string | undefined;
  now: number;
}

export const WorkspacesView: FC<WorkspacesViewProps> = (props) => (
  <>
    <Heading title="Workspaces" lead={<LastUpdate at={props.updatedAt} now={props.now} />} />
    <FormError error={props.error} />
    <Card>
      {props.workspaces.length === 0 ? (
        <Empty title="No workspaces yet">
          <p>Create the first one below. It comes with a key and code snippets for sending a first event.</p>
        </Empty>
      ) : (
        <WorkspaceTable workspaces={props.workspaces} now={props.now} />
      )}
      <Pager next={props.next} first={props.first} />
    </Card>
    <Card
      title="Create workspace"
      lead="One for each product, or for each of its environments. Data is never shared between workspaces."
    >
      <form method="post" action="/console/workspaces" class="row" autocomplete="off">
        <CreationId />
        <NameAndLimit {...props.entered} placeholder="Acme Analytics" />
        <button class="primary" type="submit">
          Create workspace
        </button>
      </form>
    </Card>
  </>
);

const LastUpdate: FC<{ at: number | null; now: number }> = ({ at, now }) =>
  at === null ? (
    <>Scores have not been updated yet.</>
  ) : (
    <>
      Last update: <Moment at={at} now={now} />
    </>
  );

const COLUMNS = [
  "Name",
  "Last message",
  { title: "Created", class: "optional" },
  { title: "Messages stored", class: "num" },
  { title: "Limit (per 10 s)", class: "num" },
] as const;

const WorkspaceTable: FC<{ workspaces: ListedWorkspace[]; now: number }> = ({ workspaces, now }) => (
  <Table caption="Workspaces, newest first" columns={COLUMNS}>
    {workspaces.map((workspace) => (
      <tr>
        <th scope="row">
          <a href={pathOf(workspace, workspace.stored === 0 ? "start" : "live")}>{truncate(workspace.name)}</a>
        </th>
        <td>{workspace.lastMessageAt === null ? <NoValue /> : <Moment at={workspace.lastMessageAt} now={now} />}</td>
        <td class="optional">
          <Moment at={workspace.createdAt} now={now} />
        </td>
        <td class="num">{formatNumber(workspace.stored)}</td>
        <td class="num">{formatNumber(workspace.writeLimit)}</td>
      </tr>
    ))}
  </Table>
);
