/** The paths of what browsers load. Each contains a hash of the content. `scripts/build-assets.ts` writes them. */
import paths from "../../../dist/assets.json" with { type: "json" };

export const STYLES_PATH = paths["console.css"];
export const SCRIPT_PATH = paths["console.ts"];
export const CHARTS_PATH = paths["charts.ts"];
export const ICON_PATH = paths["icon.svg"];
