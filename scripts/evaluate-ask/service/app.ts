/**
 * The whole app, as the Worker exports it. It is loaded without its types: those of the platform that it is written for
 * would take the place of Node's.
 */
interface App {
  fetch: (request: Request, env: object) => Response | Promise<Response>;
}

interface AppModule {
  createApp: () => App;
}

const APP = new URL("../../../src/app.ts", import.meta.url).href;

export async function loadApp(): Promise<App> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- src/app.ts exports this
  const { createApp } = (await import(APP)) as AppModule;
  return createApp();
}
