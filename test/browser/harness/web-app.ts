/** Serves the pages of a customer's web app, each with a script that imports a browser library from npm. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { build } from "esbuild";

import { PROJECT_ROOT } from "../../harness/project-root.ts";

export interface WebApp extends AsyncDisposable {
  origin: string;
  /** Adds a page. @param script a module, whose `analytics` the page has as a global */
  add(path: string, script: string): Promise<void>;
}

export async function serveWebApp(): Promise<WebApp> {
  const files = new Map<string, [type: string, text: string]>();
  const server = createServer(({ url = "" }, response) => {
    const [type, text] = files.get(url) ?? ["text/html", "<!doctype html><title>App</title>"];
    response.writeHead(200, { "content-type": type }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server of TCP has such an address
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async add(path, script) {
      const bundled = await bundle(script);
      files.set(`${path}.js`, ["text/javascript", bundled]);
      files.set(path, ["text/html", `<!doctype html><title>App</title><script src="${path}.js"></script>`]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bundle(script: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `${script}\nglobalThis.analytics = analytics;`, resolveDir: PROJECT_ROOT },
    bundle: true,
    format: "iife",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
