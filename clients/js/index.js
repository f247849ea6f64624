// sgppl for programs in JavaScript: the compiler, the virtual machine and the samplers as
// WebAssembly in a worker. index.d.ts describes every function.

const inNode = typeof process !== "undefined" && !!process.versions?.node;

export class SgpplError extends Error {
  constructor(message, status) {
    super(message.trim());
    this.name = "SgpplError";
    this.status = status;
  }
}

// A worker of Node or of a browser, as {post, end} and a function that takes its messages.
async function startWorker(listen, fail) {
  const url = new URL("./worker.js", import.meta.url);
  if (inNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    worker.on("message", listen);
    worker.on("error", fail);
    return {
      post: (m) => worker.postMessage(m), end: () => worker.terminate(),
      hold: () => worker.ref(), release: () => worker.unref(),
    };
  }
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => listen(data);
  worker.onerror = (e) => fail(new Error(e.message || "the worker did not start"));
  return {
    post: (m) => worker.postMessage(m), end: () => worker.terminate(), hold() {}, release() {},
  };
}

export async function load(options = {}) {
  const engine = new Engine();
  await engine.start(options.wasm);
  return engine;
}

export class Engine {
  #worker;
  #waiting = new Map();
  #last = Promise.resolve(); // runs are one after another
  #next = 0;
  #dead = null;

  async start(wasm) {
    this.#worker = await startWorker((m) => this.#hear(m), (err) => this.#fail(err));
    await this.#ask({ start: wasm === undefined ? null : String(wasm) });
  }

  #hear({ id, event, result, failed }) {
    if (id === undefined) return this.#fail(new Error(failed));
    const asked = this.#waiting.get(id);
    if (event) return asked?.event?.(event);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.release();
    if (failed) asked?.reject(new SgpplError(failed, 4));
    else asked?.resolve(result);
  }

  #fail(err) {
    this.#dead = new SgpplError(err.message, 4);
    for (const asked of this.#waiting.values()) asked.reject(this.#dead);
    this.#waiting.clear();
  }

  #ask(message, event) {
    if (this.#dead) return Promise.reject(this.#dead);
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, event });
      this.#worker.hold();
      this.#worker.post({ id, ...message });
    });
  }

  async check(model, name = "model.sg") {
    const report = JSON.parse(await this.#ask({ check: { name, model } }));
    if (report.error) throw new SgpplError(report.error, 1);
    return report;
  }

  async compile(model, name = "model.sg") {
    const report = await this.check(model, name);
    const errors = report.diagnostics.filter((d) => d.severity === "error");
    if (errors.length > 0) {
      throw new SgpplError(errors.map((d) => said(d)).join("\n"), 1);
    }
    return new Model(this, model, name, report);
  }

  sample(request) {
    const run = this.#last.then(() => this.#sample(request));
    this.#last = run.catch(() => {});
    return run;
  }

  async #sample(asked) {
    const {
      model, name = "model.sg", data, files = {}, set = {}, onEvent, signal, ...rest
    } = asked;
    signal?.throwIfAborted();
    const written = { ...files };
    if (data !== undefined) {
      const lines = Array.isArray(data) && data.map((row) => JSON.stringify(row));
      if (lines) written["data.jsonl"] = lines.join("\n");
      else written["data.json"] = JSON.stringify(data, plain);
    }
    for (const [file, content] of Object.entries(written)) {
      if (typeof content === "string") written[file] = new TextEncoder().encode(content);
    }
    const request = {
      name, model, sampler: "nuts", seed: 1, ...rest,
      set: Object.entries(set).map(([k, v]) => `${k}=${v}`),
    };
    const stop = () => this.#worker.post({ stop: true });
    signal?.addEventListener("abort", stop);
    try {
      const done = await this.#ask({ sample: { request, files: written } }, onEvent);
      if (done.status !== 0 && !(done.status === 130 && done.draws)) {
        throw new SgpplError(done.err, done.status);
      }
      return new Fit(done);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async close() {
    this.#fail(new Error("the engine is closed"));
    await this.#worker.end();
  }
}

// plain writes typed arrays as lists, and numbers that JSON does not have as missing.
function plain(_, value) {
  if (ArrayBuffer.isView(value)) return Array.from(value, Number);
  if (typeof value === "bigint") return Number(value);
  return value;
}

function said(d) {
  const place = d.file ? `${d.file}:${d.line}:${d.column}: ` : "";
  return `${place}${d.severity}[${d.code}]: ${d.message}`;
}

export class Model {
  #engine;

  constructor(engine, text, name, report) {
    this.#engine = engine;
    this.text = text;
    this.name = name;
    this.report = report;
  }

  sample(options = {}) {
    return this.#engine.sample({ ...options, model: this.text, name: this.name });
  }
}

export class Fit {
  constructor({ status, out, err, report, summary, draws }) {
    this.interrupted = status === 130;
    this.text = out;
    this.notes = err;
    this.report = report;
    this.verdict = summary.verdict;
    this.health = summary.health;
    this.summary = summary.vars;
    this.draws = draws;
  }
}
