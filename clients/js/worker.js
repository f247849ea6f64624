// The worker holds the engine. Messages to it are {id, start: address}, {id, check: {name, model}},
// {id, sample: {request, files}} and {stop}; messages from it are {id, result}, {id, failed},
// {id, event}, and {failed} when the engine has died.

import { start, write } from "./engine.js";
import { readDraws } from "./draws.js";

const inNode = typeof process !== "undefined" && !!process.versions?.node;
const port = inNode ? (await import("node:worker_threads")).parentPort : globalThis;
let engine;

async function sample({ request, files }, event) {
  for (const [name, bytes] of Object.entries(files)) write(engine.fs, `/${name}`, bytes);
  const text = JSON.stringify({ ...request, data: Object.keys(files) });
  const done = JSON.parse(await new Promise((resolve) => {
    engine.sample(text, (line) => event(JSON.parse(line)), resolve);
  }));
  if (done.summary) done.draws = readDraws(engine.fs, "/run/draws.zarr");
  return done;
}

async function answer({ id, start: address, check, sample: request, stop }) {
  if (stop) return engine?.stop();
  try {
    let result = null;
    if (address !== undefined) {
      engine = await start(address ?? undefined, (failed) => port.postMessage({ failed }));
    } else if (check) {
      result = engine.check(check.name, check.model);
    } else if (request) {
      result = await sample(request, (event) => port.postMessage({ id, event }));
    }
    const moved = Object.values(result?.draws ?? {}).map((d) => d.data.buffer);
    port.postMessage({ id, result }, moved);
  } catch (err) {
    port.postMessage({ id, failed: String(err?.stack ?? err) });
  }
}

if (inNode) port.on("message", answer);
else port.onmessage = ({ data }) => answer(data);
