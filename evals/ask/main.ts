/**
 * `npm run evaluate:ask`: whether questions are answered truly, or not at all.
 *
 * Simulated workspaces are fed through the real mapping, storage and recompute, and asked by HTTP. What is true is
 * counted from the raw list of what happened, apart from the service. A part of the phrasings is held apart: see
 * evaluate-ask/holdout/README.md. It is a report: the exit code is 0 whatever the figures.
 *
 *     npm run evaluate:ask -- [--seed 1] [--now 2026-11-20T15:30:00Z] [--json]
 *                             [--list wrong|silent|reason [--held-apart]] [--family text]
 */
import { parseArgs } from "node:util";

import { casesOf } from "./cases/cases.ts";
import { type Judged, judge } from "./judging/judge.ts";
import { listed, type ListName, LISTS, page, reportOf } from "./judging/report.ts";
import { ask } from "./service/ask.ts";
import { silenceLog, stopClockAt } from "./service/clock.ts";
import { readOutcomes } from "./service/outcomes.ts";
import { openService } from "./service/service.ts";
import { carnival } from "./world/carnival.ts";
import { meridian } from "./world/meridian.ts";
import { northbeam } from "./world/northbeam.ts";
import { behind, stopped, young } from "./world/odd-times.ts";

const WORLDS = [northbeam, meridian, carnival, young, stopped, behind];

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    /** A Friday afternoon. */
    now: { type: "string", default: "2026-11-20T15:30:00Z" },
    json: { type: "boolean", default: false },
    list: { type: "string" },
    "held-apart": { type: "boolean", default: false },
    family: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const now = Date.parse(values.now);
const { list } = values;

if (!Number.isSafeInteger(seed) || Number.isNaN(now) || !(list === undefined || isListName(list))) {
  console.error(`--seed takes a whole number, --now a time, --list one of ${Object.keys(LISTS).join(", ")}.`);
  process.exitCode = 1;
} else {
  stopClockAt(now);
  const print = console.log;
  silenceLog();
  const judged = await evaluate();
  if (list !== undefined)
    print(listed(values["held-apart"] ? judged : judged.filter(({ asked }) => asked.part === "open"), list));
  else if (values.json) print(JSON.stringify({ seed, now: values.now, ...reportOf(judged) }, null, 2));
  else print(`seed ${seed}, now ${values.now}\n\n${page(reportOf(judged))}`);
}

async function evaluate(): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const make of WORLDS) {
    const world = make(now, seed);
    const service = await openService(world);
    const cases = casesOf(world, await readOutcomes(service), seed).filter(({ family }) =>
      family.includes(values.family),
    );
    for (const one of cases) judged.push(judge(one, await ask(service, one)));
    console.error(`done: ${world.name}, ${cases.length} questions`);
  }
  return judged;
}

function isListName(name: string): name is ListName {
  return name in LISTS;
}
