// Draws of a store: Zarr, version 2, without compression, with a chunk for the draws of a chain.

import { read } from "./engine.js";

export function readDraws(fs, store) {
  const text = read(fs, `${store}/.zmetadata`);
  if (!text) return undefined;
  const { metadata } = JSON.parse(new TextDecoder().decode(text));
  const labels = JSON.parse(new TextDecoder().decode(read(fs, `${store}/../names.json`)) || "{}");
  const named = Object.entries(metadata)
    .filter(([key]) => /^posterior\/[^/]+\/\.zattrs$/.test(key))
    .filter(([, about]) => about._ARRAY_DIMENSIONS?.[1] === "draw")
    .sort(([, a], [, b]) => (a.sgppl_order ?? 0) - (b.sgppl_order ?? 0));
  const draws = {};
  for (const [key, { _ARRAY_DIMENSIONS: dims }] of named) {
    const name = key.split("/")[1];
    const about = metadata[`posterior/${name}/.zarray`];
    const values = readArray(fs, `${store}/posterior/${name}`, about);
    draws[name] = { dims, ...values, labels: dims.slice(2).map((d) => labels[d] ?? null) };
  }
  return draws;
}

function readArray(fs, path, { shape, chunks, dtype }) {
  if (dtype !== "<f8") throw new Error(`${path} has values of type ${dtype}`);
  const [chains, draws, ...rest] = shape;
  const width = rest.reduce((a, b) => a * b, 1);
  const data = new Float64Array(chains * draws * width).fill(NaN);
  for (let chain = 0; chain < chains; chain++) {
    for (let k = 0; k * chunks[1] < draws; k++) {
      const bytes = read(fs, `${path}/${[chain, k, ...rest.map(() => 0)].join(".")}`);
      if (!bytes) continue; // not drawn
      const first = k * chunks[1];
      const n = Math.min(chunks[1], draws - first) * width;
      const part = new Float64Array(bytes.buffer, bytes.byteOffset, n); // little-endian
      data.set(part, (chain * draws + first) * width);
    }
  }
  return { shape, data };
}
