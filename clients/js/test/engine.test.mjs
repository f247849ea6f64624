// Tests of the package as it is installed: node --test, with SGPPL set to the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { load, SgpplError, Engine, Model, Fit } from "sgppl";

const schools = readFileSync(process.env.SGPPL_SCHOOLS, "utf8");
const eight = { y: [28, 8, -3, 7, -1, 1, 18, 12], sigma: [15, 10, 16, 11, 9, 11, 10, 18] };
let engine;

before(async () => { engine = await load(); });
after(() => engine.close());

// command runs sgppl sample, and returns the run directory.
function command(model, data, ...flags) {
  const dir = mkdtempSync(path.join(tmpdir(), "sgppl-"));
  writeFileSync(path.join(dir, "m.sg"), model);
  writeFileSync(path.join(dir, "d.json"), JSON.stringify(data));
  execFileSync(process.env.SGPPL, ["sample", path.join(dir, "m.sg"),
    "--data", path.join(dir, "d.json"), "--engine", "vm", "--progress", "none",
    "--out", path.join(dir, "run"), ...flags], { stdio: "pipe" });
  return path.join(dir, "run");
}

test("eight schools have the bytes of the command", async () => {
  const model = await engine.compile(schools);
  const events = [];
  const fit = await model.sample({
    data: eight, seed: 7, draws: 300, warmup: 300, onEvent: (e) => events.push(e),
  });
  const run = command(schools, eight, "--seed", "7", "--draws", "300", "--warmup", "300");
  assert.deepEqual(Object.keys(fit.draws).sort(), ["eta", "mu", "tau", "theta"]);
  for (const [name, { shape, data }] of Object.entries(fit.draws)) {
    assert.deepEqual(shape.slice(0, 2), [4, 300]);
    const each = data.length / 4;
    for (let chain = 0; chain < 4; chain++) {
      const chunk = [chain, 0, ...shape.slice(2).map(() => 0)].join(".");
      const theirs = readFileSync(path.join(run, "draws.zarr", "posterior", name, chunk));
      const ours = data.subarray(chain * each, (chain + 1) * each);
      const bytes = Buffer.from(ours.buffer, ours.byteOffset, ours.byteLength);
      assert.deepEqual(bytes, theirs, `${name} ${chain}`);
    }
  }
  const said = execFileSync(process.env.SGPPL, ["summary", run, "--json"], { encoding: "utf8" });
  const theirs = JSON.parse(said);
  assert.deepEqual(fit.summary, theirs.vars);
  assert.equal(fit.verdict, theirs.verdict);
  const mu = fit.draws.mu.data.reduce((a, b) => a + b, 0) / 1200;
  assert.ok(Math.abs(mu - fit.summary.find((v) => v.name === "mu").mean) < 1e-12);
  assert.ok(Math.abs(mu - 4.4) < 0.8);
  assert.ok(events.filter((e) => e.event === "end").length === 4);
  assert.match(fit.report, /^<!DOCTYPE html>/i);
  assert.match(fit.text, /theta\[7\]/);
});

test("diagnostics have codes, places and suggestions", async () => {
  const report = await engine.check("param a : rael\nparam b : real ~ nrmal(0, 1)\n");
  assert.deepEqual(report.diagnostics.map((d) => [d.code, d.line]), [["E0206", 1], ["E0205", 2]]);
  assert.equal(report.diagnostics[0].edits[0].text, "real");
  await assert.rejects(engine.compile("param a : rael\n"), (err) => {
    assert.ok(err instanceof SgpplError);
    assert.equal(err.status, 1);
    assert.match(err.message, /model\.sg:1:11: error\[E0206\]: there is no type rael/);
    return true;
  });
  const model = await engine.compile(schools);
  assert.deepEqual(model.report.data.map((d) => d.name), ["y", "sigma"]);
});

test("wrong data and settings have the status of the command", async () => {
  const model = await engine.compile(schools);
  const status = async (options) => {
    try {
      await model.sample(options);
      return 0;
    } catch (err) {
      assert.ok(err instanceof SgpplError, err);
      return err.status;
    }
  };
  assert.equal(await status({ data: { y: [1, 2], sigma: [1] } }), 3);
  assert.equal(await status({ data: { y: [1, 2] } }), 3);
  assert.equal(await status({ data: eight, sampler: "nothing" }), 2);
  assert.equal(await status({ data: eight, draws: 10, warmup: 10, chains: 1 }), 0); // after errors, too
});

const groups = `
dim N, G
data g[N] : index[G]
data y[N] : real
param a[G] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[g[n]], 1) }
`;

test("rows with words, files and typed arrays", async () => {
  const rows = [{ g: "b", y: 1 }, { g: "a", y: 2 }, { g: "b", y: null }];
  const options = { warmup: 200, draws: 100, chains: 2 };
  const fit = await engine.sample({
    model: groups, data: rows, na: "drop", levels: ["G=sorted"], ...options,
  });
  assert.deepEqual(fit.draws.a.labels, [["a", "b"]]);
  assert.deepEqual(fit.draws.a.shape, [2, 100, 2]);
  const files = { "d.csv": "g,y\na,1\nb,2\n" };
  const file = await engine.sample({ model: groups, files, ...options });
  assert.deepEqual(file.draws.a.labels, [["a", "b"]]);
  const typed = { g: Int32Array.of(0, 1), y: Float64Array.of(1, 2) };
  const same = await engine.sample({ model: groups, data: typed, ...options });
  assert.deepEqual(same.draws.a.data, file.draws.a.data);
});

test("many draws are in several chunks", async () => {
  const model = "dim P = 7\nparam x[P] : real ~ normal(0, 1)\n";
  const fit = await engine.sample({ model, draws: 1500, warmup: 100, chains: 2 });
  assert.deepEqual(fit.draws.x.shape, [2, 1500, 7]);
  assert.ok(fit.draws.x.data.every(Number.isFinite));
  const mean = fit.draws.x.data.filter((_, i) => i % 7 === 6).reduce((a, b) => a + b, 0) / 3000;
  assert.ok(Math.abs(mean - fit.summary.find((v) => v.name === "x[6]").mean) < 1e-12);
});

test("a signal ends a run, and the next one goes", async () => {
  const stop = new AbortController();
  const long = engine.sample({
    model: schools, data: eight, draws: 50_000, chains: 1, signal: stop.signal,
    onEvent: (e) => { if (e.draws > 100) stop.abort(); },
  });
  const next = engine.sample({ model: schools, data: eight, draws: 50, warmup: 50, chains: 1 });
  assert.equal((await long).interrupted, true);
  assert.equal((await next).interrupted, false);
});

test("types name what there is, and the global object is left alone", () => {
  const here = createRequire(import.meta.url).resolve("sgppl/package.json");
  const types = readFileSync(path.join(path.dirname(here), "index.d.ts"), "utf8");
  const named = [...types.matchAll(/^export (?:function|class) (\w+)/gm)].map((m) => m[1]).sort();
  assert.deepEqual(named, ["Engine", "Fit", "Model", "SgpplError", "load"]);
  for (const f of [load, Engine, Model, Fit, SgpplError]) assert.equal(typeof f, "function");
  assert.equal(globalThis.Go, undefined);
  assert.equal(typeof process.cwd(), "string");
});
