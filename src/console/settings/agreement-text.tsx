/** The agreement that people read before they accept it. What it promises is what the service does: docs/security.md. */
import type { FC } from "hono/jsx";

/** Changes with the text. */
export const AGREEMENT_VERSION = "2026-11";

const CLAUSES: readonly (readonly [title: string, text: string])[] = [
  [
    "Parties",
    "The controller is the company whose accounts and users this workspace is about. The processor is whoever operates this deployment of Behavior Ingest.",
  ],
  [
    "Data and purpose",
    "The controller may attach the names of companies and people, and e-mail addresses. The processor stores them only to name accounts and users in the console, in answers, in notifications that ask for names, and to keys with the scope “identity”.",
  ],
  [
    "Instructions",
    "The processor acts only on the controller’s instructions: calls with the controller’s keys, and actions in the console. It doesn’t sell the data, and doesn’t use it for itself or for other customers.",
  ],
  [
    "Confidentiality and security",
    "Only people who need the data have access, and they are bound to confidentiality. Data is encrypted in transit and at rest. Workspaces are separated in each query. Names and addresses are kept apart from events, and are never logged. Changes by administrators are recorded in an audit log.",
  ],
  [
    "Sub-processors",
    "Cloudflare runs the service and stores the data. Notifications that include names go to the destinations that the controller has connected. The processor announces further sub-processors before they receive data, and the controller may object.",
  ],
  [
    "Rights of people",
    "The controller can read, change and erase the data of a person at any time, in the console or by the API. The processor helps with requests that these can’t answer.",
  ],
  [
    "Incidents and audits",
    "The processor reports a breach of personal data without undue delay, with what it knows of its extent. It answers the controller’s questions about these measures.",
  ],
  [
    "End",
    "When the controller withdraws from this agreement, all names and addresses of the workspace are erased at once. Erased data stays in backups, which only the operator can read, for up to 35 days. Events, scores and the inbox stay until the workspace is erased.",
  ],
];

export const AgreementText: FC = () => (
  <>
    <p class="note">Version {AGREEMENT_VERSION}</p>
    <ol class="clauses">
      {CLAUSES.map(([title, text]) => (
        <li>
          <strong>{title}.</strong> {text}
        </li>
      ))}
    </ol>
  </>
);
