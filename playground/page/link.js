// Links that carry a model, its data and the settings: the part of the address behind #,
// which a browser sends to no server.

// mostData bounds the data of a link, in bytes.
export const mostData = 32 << 10;

async function through(stream, bytes) {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

function toText(bytes) {
  let out = "";
  for (const b of bytes) out += String.fromCharCode(b);
  return btoa(out).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

// encode makes the part of the address behind # of {model, settings, files}, where files
// are bytes by name. It throws where the data are too large for a link.
export async function encode({ model, settings, files }) {
  let size = 0;
  const texts = {};
  for (const [name, bytes] of Object.entries(files)) {
    size += bytes.length;
    texts[name] = toText(bytes);
  }
  if (size > mostData) {
    throw new Error(`the data have ${size} bytes, and a link carries at most ${mostData}: send the files beside it`);
  }
  const text = JSON.stringify({ version: 1, model, settings, files: texts });
  return "#" + toText(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)));
}

// decode is the reverse of encode. It throws where the text is no such link.
export async function decode(hash) {
  const bytes = await through(new DecompressionStream("deflate-raw"), toBytes(hash.slice(1)));
  const got = JSON.parse(new TextDecoder().decode(bytes));
  if (got.version !== 1 || typeof got.model !== "string") throw new Error("it is of another version");
  const files = {};
  for (const [name, text] of Object.entries(got.files || {})) files[name] = toBytes(text);
  return { model: got.model, settings: got.settings || {}, files };
}
