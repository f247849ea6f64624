// The worker holds the engine: the compiler and the samplers as WebAssembly. Messages to it
// are {lsp: text} for the language server, {id, sample: request} for a run, and {stop: id};
// messages from it are {ready}, {lsp: text}, {id, event}, {id, done} and {failed}.

import { MemFS, processOf } from "./memfs.js";

const texts = { 1: new TextDecoder(), 2: new TextDecoder() };
let crash = ""; // what Go prints to stderr: its last words when it dies

globalThis.fs = new MemFS((fd, bytes) => {
  crash = (crash + texts[fd].decode(bytes, { stream: true })).slice(-4000);
});
globalThis.process = processOf();
globalThis.path = { resolve: (...all) => all[all.length - 1] };

async function start() {
  importScripts("wasm_exec.js"); // of the Go that built the engine
  const go = new Go();
  go.argv = ["sgppl"];
  const answer = await fetch("engine.wasm");
  if (!answer.ok) throw new Error(`engine.wasm: ${answer.status} ${answer.statusText}`);
  const wasm = await WebAssembly.instantiateStreaming(answer, go.importObject);
  globalThis.sgppl_send = (text) => postMessage({ lsp: text });
  const started = new Promise((resolve) => { globalThis.sgppl_ready = resolve; });
  go.run(wasm.instance).then(() => postMessage({ failed: "the engine ended\n" + crash }));
  await started;
  postMessage({ ready: true });
}

const starting = start().catch((err) => postMessage({ failed: String(err) }));

onmessage = async ({ data }) => {
  await starting;
  if (data.lsp) sgppl.receive(data.lsp);
  if (data.stop) sgppl.stop();
  if (data.sample) {
    for (const [name, bytes] of Object.entries(data.sample.files)) {
      const fd = await new Promise((done, no) => fs.open("/" + name, 2 | 64 | 512, 0o644, (err, fd) => (err ? no(err) : done(fd))));
      fs.write(fd, bytes, 0, bytes.length, null, () => {});
      fs.close(fd, () => {});
    }
    const { files, ...request } = data.sample;
    request.data = Object.keys(files);
    sgppl.sample(JSON.stringify(request), (event) => postMessage({ id: data.id, event: JSON.parse(event) }),
      (done) => postMessage({ id: data.id, done: JSON.parse(done) }));
  }
};
