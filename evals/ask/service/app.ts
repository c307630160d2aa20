/**
 * What is read and asked, wired as the Worker wires it. The rest of the app needs the platform. The modules are loaded
 * without their types: those of the platform that they are written for would take the place of Node's.
 */
import { type Env, Hono } from "hono";
import { requestId } from "hono/request-id";

interface App {
  fetch: (request: Request, env: object) => Response | Promise<Response>;
}

type Loaded = Record<string, never>;

const load = async (name: string): Promise<Loaded> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever it exports goes to Hono, which knows it
  (await import(new URL(`../../../src/${name}.ts`, import.meta.url).href)) as Loaded;

const part = (loaded: Loaded, name: string): never => {
  const found = loaded[name];
  if (found === undefined) throw new Error(`src exports no ${name}`);
  return found;
};

/** The one thing by which the Worker reads bodies that its runtime has and Node has not. */
const BODY_READING = {
  async readAtLeast(this: ReadableStreamBYOBReader, min: number, view: Uint8Array<ArrayBuffer>) {
    // What is read into is the stream's meanwhile: the view has no length then.
    const { byteOffset, byteLength } = view;
    let [buffer, filled, done] = [view.buffer, 0, false];
    while (!done && filled < min) {
      const read = await this.read(new Uint8Array(buffer, byteOffset + filled, byteLength - filled));
      buffer = read.value?.buffer ?? buffer;
      filled += read.value?.byteLength ?? 0;
      ({ done } = read);
    }
    return { done, value: new Uint8Array(buffer, byteOffset, filled) };
  },
};

export async function loadApp(): Promise<App> {
  Object.assign(ReadableStreamBYOBReader.prototype, BODY_READING);
  const [log, errors, routes, ask, accounts, inbox] = await Promise.all(
    [
      "edge/request-log",
      "edge/errors",
      "http/add-routes",
      "http/routes/ask",
      "http/routes/accounts",
      "http/routes/inbox",
    ].map(load),
  );
  if (!log || !errors || !routes || !ask || !accounts || !inbox) throw new Error("not all of it was loaded");
  const app = new Hono<Env>();
  app.onError(part(errors, "onError"));
  app.use(requestId(), part(log, "requestLog"));
  const addRoutes: (app: Hono<Env>, routes: unknown[]) => void = part(routes, "addRoutes");
  const accountsAndInbox: unknown[][] = [part(accounts, "accountsRoutes"), part(inbox, "inboxRoutes")];
  addRoutes(app, [part(ask, "askRoute"), ...accountsAndInbox.flat()]);
  return app;
}
