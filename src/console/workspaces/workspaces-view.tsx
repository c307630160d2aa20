import type { FC } from "hono/jsx";

import type { ListedWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { NameAndLimit } from "../forms/name-and-limit.tsx";
import { amount, Card, Empty, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";

/** What somebody typed into the form, to be put right. */
export interface Entered {
  name: string;
  writeLimit: string;
}

export const asEntered = ({ name, writeLimit }: Record<string, unknown>): Entered => ({
  name: typeof name === "string" ? name : "",
  writeLimit: typeof writeLimit === "string" ? writeLimit : "",
});

interface WorkspacesViewProps {
  workspaces: ListedWorkspace[];
  judgedAt: number | null;
  next: string | null;
  first: string | null;
  entered: Entered;
  fault: string | undefined;
  now: number;
}

export const WorkspacesView: FC<WorkspacesViewProps> = (props) => (
  <>
    <Heading
      title="Workspaces"
      lead={
        props.judgedAt === null ? (
          "No recompute has come to its end yet."
        ) : (
          <>
            Last recompute of all of them: <Moment at={props.judgedAt} now={props.now} />
          </>
        )
      }
    />
    {props.fault !== undefined && (
      <Notice tone="bad" role="alert">
        {props.fault}
      </Notice>
    )}
    <Card>
      {props.workspaces.length === 0 ? (
        <Empty title="No workspace yet">
          <p>Make the first one below: it comes with a key, and with what to paste to send a first event.</p>
        </Empty>
      ) : (
        <WorkspaceTable workspaces={props.workspaces} now={props.now} />
      )}
      <Pager next={props.next} first={props.first} />
    </Card>
    <NewWorkspace {...props.entered} />
  </>
);

const WorkspaceTable: FC<{ workspaces: ListedWorkspace[]; now: number }> = ({ workspaces, now }) => (
  <div class="table-scroll workspaces" role="region" aria-label="Workspaces" tabindex={0}>
    <table>
      <caption class="visually-hidden">Workspaces, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Last message</th>
          <th scope="col">Made</th>
          <th scope="col" class="num">
            Messages stored
          </th>
          <th scope="col" class="num">
            Limit in 10 s
          </th>
        </tr>
      </thead>
      <tbody>
        {workspaces.map((workspace) => (
          <tr>
            <th scope="row">
              <a href={pathOf(workspace, workspace.stored === 0 ? "start" : "live")}>{shortened(workspace.name)}</a>
            </th>
            <td>
              {workspace.lastMessageAt === null ? (
                <span class="muted">none</span>
              ) : (
                <Moment at={workspace.lastMessageAt} now={now} />
              )}
            </td>
            <td>
              <Moment at={workspace.createdAt} now={now} />
            </td>
            <td class="num">{amount(workspace.stored)}</td>
            <td class="num">{amount(workspace.writeLimit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const NewWorkspace: FC<Entered> = ({ name, writeLimit }) => (
  <Card title="Make a workspace" lead="One for each product, or each environment of it: nothing crosses between them.">
    <form method="post" action="/console/workspaces" class="row" autocomplete="off">
      <NameAndLimit name={name} writeLimit={writeLimit} placeholder="Acme Analytics" />
      <button class="primary" type="submit">
        Make the workspace
      </button>
    </form>
  </Card>
);
