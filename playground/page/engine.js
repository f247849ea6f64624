// The engine as the page sees it: a worker with the language server and one run at a time.

export class Engine {
  constructor() {
    this.worker = new Worker("worker.js");
    this.lsp = []; // who listens to the language server
    this.runs = new Map();
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failed) this.fail(data.failed, reject);
        else if (data.lsp) for (const f of this.lsp) f(data.lsp);
        else if (data.event) this.runs.get(data.id)?.event(data.event);
        else if (data.done) this.end(data.id, data.done);
      };
      this.worker.onerror = (e) => this.fail(e.message || "the worker did not start", reject);
    });
  }

  // fail ends every run, and the engine's start if it has not come so far.
  fail(text, reject) {
    reject(new Error(text));
    for (const id of [...this.runs.keys()]) this.end(id, { status: 4, out: "", err: text });
  }

  end(id, done) {
    this.runs.get(id)?.resolve(done);
    this.runs.delete(id);
  }

  // transport is what the editor's client of the language server talks through.
  transport() {
    return {
      send: (text) => this.worker.postMessage({ lsp: text }),
      subscribe: (f) => this.lsp.push(f),
      unsubscribe: (f) => { this.lsp = this.lsp.filter((g) => g !== f); },
    };
  }

  // sample runs a request and resolves to its answer; event takes what happens meanwhile.
  sample(request, event) {
    const id = crypto.randomUUID();
    return new Promise((resolve) => {
      this.runs.set(id, { resolve, event });
      this.worker.postMessage({ id, sample: request });
    });
  }

  stop() { this.worker.postMessage({ stop: true }); }
}
