/**
 * Installs what is missing, then runs a script in the project's own Node. `npm start` and `npm test` begin here.
 *
 * This file is plain JavaScript, because it must run on any Node from 20 on. The project's Node comes from the lock file
 * like any other package (`node`) and strips types by itself, so all other scripts are TypeScript without a build step.
 * When this process already is that Node, it loads the script itself: one process less to stop.
 *
 *     node scripts/bootstrap.mjs [script [argument…]]
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const OLDEST_NODE = 20;

const root = fileURLToPath(new URL("..", import.meta.url));
const nodePackage = join(root, "node_modules", "node");
const projectNode = join(nodePackage, "bin", process.platform === "win32" ? "node.exe" : "node");

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** True when node_modules matches the lock file. Reads two files instead of calling npm, because every start pays for it. */
function isInstalled() {
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  const found = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  if (!wanted || !found || !existsSync(projectNode)) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const have = found[path];
    // Optional packages may be missing: the binaries of other platforms.
    return have ? have.version === version && have.integrity === integrity : optional === true;
  });
}

/**
 * Runs a command to its end, and forwards the signals that would stop this process.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").StdioOptions} stdio
 * @returns {Promise<number>} the exit code, as a shell would give it
 */
function run(command, args, stdio) {
  return new Promise((settle, reject) => {
    const child = spawn(command, args, { cwd: root, stdio });
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
    const forward = signals.map((signal) => /** @type {const} */ ([signal, () => child.kill(signal)]));
    for (const [signal, listener] of forward) process.on(signal, listener);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      for (const [name, listener] of forward) process.off(name, listener);
      settle(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/**
 * Installs the packages of the lock file, with the npm that started this process if there is one. Sends npm's output to
 * stderr, to keep stdout for the script.
 *
 * `npm ci` would refuse to install anything when the registry lacks the binary of another platform, as mirrors do. This
 * command doesn't write the lock file either, and the result is checked.
 */
async function install() {
  console.error("Installing dependencies…");
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const [command, first] = cli?.endsWith("npm-cli.js") ? [node ?? process.execPath, [cli]] : ["npm", []];
  // Explicit options, because the user's npm settings and NODE_ENV=production would change what is installed.
  const options = ["--no-save", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await run(command, [...first, "install", ...options], ["ignore", process.stderr, "inherit"]);
  if (code !== 0 || isInstalled()) return code;
  console.error(
    existsSync(projectNode)
      ? "npm did not install the versions of package-lock.json. Delete node_modules and try again."
      : "npm did not install Node into node_modules/node. Allow its install script (npm's ignore-scripts setting) and try again.",
  );
  return 1;
}

async function main() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    console.error(`Node ${OLDEST_NODE} or later is required. This is ${process.version}.`);
    return 1;
  }
  const failure = isInstalled() ? 0 : await install();
  const [script, ...args] = process.argv.slice(2);
  if (failure !== 0 || script === undefined) return failure;

  const path = resolve(root, script);
  if (process.version !== `v${readJson(join(nodePackage, "package.json"))?.version}`) {
    return run(projectNode, [path, ...args], "inherit");
  }
  process.argv.splice(1, Infinity, path, ...args); // as if it had been started directly
  await import(pathToFileURL(path).href);
  return undefined; // the script sets its own exit code
}

const code = await main();
if (code !== undefined) process.exitCode = code;
