/** Checks the phrases of questions, and builds what browsers load from the console. wrangler runs this before it bundles the Worker. */
import { buildAssets } from "./assets/build-assets.ts";
import { checkPhrases } from "./check/phrases.ts";

checkPhrases();
await buildAssets();
