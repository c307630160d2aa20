/** What D1 is called by scripts/workerd, for tests on Node. */
// oxlint-disable-next-line import/no-unassigned-import -- it declares names, and exports none
import "../../scripts/evaluate/platform.d.ts";
