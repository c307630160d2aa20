/** Builds what browsers load from the console. wrangler runs this before it bundles the Worker. */
import { buildAssets } from "./assets/build-assets.ts";

await buildAssets();
