// The engine: a program of Go as WebAssembly, with a file system in memory.

import { MemFS, processOf } from "./memfs.js";
import defineGo from "./wasm_exec.js"; // of the Go that built the engine

const inNode = typeof process !== "undefined" && !!process.versions?.node;

// bytesOf returns the WebAssembly, of the package or of another address.
async function bytesOf(address) {
  const url = new URL(address ?? "engine.wasm.gz", import.meta.url);
  let bytes;
  if (inNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    bytes = await readFile(url);
  } else {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
    bytes = new Uint8Array(await answer.arrayBuffer());
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes; // a server may have unpacked it
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

// start runs the engine. Its answer has the functions of the engine, and its files.
export async function start(address, died) {
  let said = ""; // what Go prints: its last words when it dies
  const decoder = new TextDecoder();
  const fs = new MemFS((_, bytes) => {
    said = (said + decoder.decode(bytes, { stream: true })).slice(-4000);
  });
  let ready;
  const started = new Promise((resolve) => { ready = resolve; });
  // What Go sees in the place of the global object, which so stays as it is.
  const scope = {
    fs, process: processOf(), path: { resolve: (...all) => all[all.length - 1] },
    crypto: globalThis.crypto ?? (await import("node:crypto")).webcrypto,
    performance, TextEncoder, TextDecoder, Object, Array, Uint8Array, Date, Error, Math,
    sgppl_ready: () => ready(), sgppl_send() {},
  };
  const Go = defineGo(scope);
  const go = new Go();
  go.argv = ["sgppl"];
  const { instance } = await WebAssembly.instantiate(await bytesOf(address), go.importObject);
  go.run(instance).then(() => died(`the engine ended\n${said}`));
  await started;
  return { fs, ...scope.sgppl };
}

// write puts a file into the engine's file system.
export function write(fs, path, bytes) {
  const { O_WRONLY, O_CREAT, O_TRUNC } = fs.constants;
  const fd = fs.do_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644);
  fs.do_write(fd, bytes, 0, bytes.length, null);
  fs.do_close(fd);
}

// read returns the bytes of a file; undefined where there is none.
export function read(fs, path) {
  try {
    const node = fs.find(path);
    return node.children ? undefined : node.bytes.slice(0, node.size);
  } catch {
    return undefined;
  }
}
