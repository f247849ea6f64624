// The page of the playground: an editor, data, settings, and what a run gives.

import { basicSetup, EditorView } from "codemirror";
import { keymap } from "@codemirror/view";
import { indentWithTab } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags as t } from "@lezer/highlight";
import { LSPClient, languageServerExtensions, formatKeymap } from "@codemirror/lsp-client";
import { sgppl } from "./language.js";
import { Engine } from "./engine.js";
import { encode, decode } from "./link.js";

const $ = (id) => document.getElementById(id);
const engine = new Engine();
let files = {}; // bytes by name
let running = false;

// Colours that differ in brightness too, on light and on dark pages.
const colours = HighlightStyle.define([
  { tag: [t.controlKeyword, t.definitionKeyword], color: "light-dark(#0b5fa5, #78b7ee)", fontWeight: "600" },
  { tag: [t.number, t.bool], color: "light-dark(#9a4a00, #f0b072)" },
  { tag: t.docComment, color: "light-dark(#2f6b3a, #93c79b)" },
  { tag: t.lineComment, color: "light-dark(#5d6166, #a3a7ad)", fontStyle: "italic" },
]);

const client = new LSPClient({ extensions: languageServerExtensions(), timeout: 20000 });
const uri = "file:///model.sg";

const view = new EditorView({
  parent: $("editor"),
  extensions: [
    basicSetup, sgppl(), syntaxHighlighting(colours), keymap.of([...formatKeymap, indentWithTab]),
    client.plugin(uri, "sgppl"), EditorView.contentAttributes.of({ "aria-label": "Model" }),
  ],
});

const modelText = () => view.state.doc.toString();

function setModel(text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

function settings() {
  const out = {};
  for (const [name, value] of new FormData($("settings"))) out[name] = value;
  return out;
}

function setSettings(given) {
  for (const [name, value] of Object.entries(given)) {
    const field = $("settings").elements.namedItem(name);
    if (field) field.value = value;
  }
}

function showFiles() {
  $("files").replaceChildren(...Object.entries(files).map(([name, bytes]) => {
    const item = document.createElement("li"), size = document.createElement("span"), away = document.createElement("button");
    size.textContent = `${bytes.length.toLocaleString("en")} bytes`;
    away.type = "button";
    away.textContent = "Remove";
    away.setAttribute("aria-label", `Remove ${name}`);
    away.onclick = () => { delete files[name]; showFiles(); };
    item.append(name, size, away);
    return item;
  }));
}

async function addFiles(list) {
  for (const f of list) files[f.name] = new Uint8Array(await f.arrayBuffer());
  showFiles();
}

function showTab(name) {
  for (const tab of ["report", "summary"]) {
    $("tab-" + tab).setAttribute("aria-selected", String(tab === name));
    $(tab).hidden = tab !== name;
  }
}

// A Progress has a bar for each chain.
class Progress {
  constructor() {
    this.bars = new Map();
    this.began = performance.now();
    delete $("progress").dataset.status;
  }

  event(e) {
    if (e.event === "note") return;
    if (e.event === "phase") { if (!this.bars.size) $("progress").textContent = e.text; return; }
    if (!this.bars.size) {
      $("progress").replaceChildren();
      $("progress").dataset.first = Math.round(performance.now() - this.began);
    }
    let b = this.bars.get(e.chain);
    if (!b) {
      b = { row: document.createElement("div"), bar: document.createElement("progress"), text: document.createElement("span") };
      b.row.className = "bar";
      b.bar.setAttribute("aria-label", `chain ${e.chain}`);
      b.row.append(`chain ${e.chain}`, b.bar, b.text);
      $("progress").append(b.row);
      this.bars.set(e.chain, b);
    }
    b.bar.max = e.steps;
    b.bar.value = e.step;
    b.text.textContent = `${e.draws} of ${e.draws_of} draws`;
  }
}

async function run(event) {
  event.preventDefault();
  if (running) return;
  const given = settings();
  const number = (name) => (given[name] === "" ? 0 : Number(given[name]));
  const request = {
    model: modelText(), name: "model.sg", files, sampler: given.sampler, set: given.set.split(/\s+/).filter(Boolean),
    chains: number("chains"), warmup: number("warmup"), draws: number("draws"), thin: number("thin"), seed: number("seed"),
  };
  running = true;
  $("run").disabled = true;
  $("stop").disabled = false;
  const progress = new Progress();
  $("progress").textContent = "compiling…";
  const done = await engine.sample(request, (e) => progress.event(e));
  running = false;
  $("run").disabled = false;
  $("stop").disabled = true;
  const seconds = ((performance.now() - progress.began) / 1000).toFixed(1);
  $("progress").textContent = done.status === 0 ? `${done.out.split("\n")[1]} (${seconds} s)` : done.status === 130 ? `Stopped after ${seconds} s.` : "The run failed: the summary says why.";
  $("progress").dataset.status = done.status;
  $("summary").textContent = done.out + (done.out && done.err ? "\n" : "") + done.err;
  $("report").srcdoc = done.report || "";
  showTab(done.report ? "report" : "summary");
}

async function share() {
  try {
    location.hash = await encode({ model: modelText(), settings: settings(), files });
    await navigator.clipboard.writeText(location.href).then(
      () => { $("shared").textContent = "The link is copied: it has the model, the data and the settings."; },
      () => { $("shared").textContent = "The link is in the address bar."; });
  } catch (err) {
    $("shared").textContent = `No link: ${err.message}.`;
  }
}

async function loadExample(name) {
  const [model, data] = await Promise.all(["sg", "json"].map((end) => fetch(`examples/${name}.${end}`)));
  setModel(await model.text());
  files = data.ok ? { [`${name}.json`]: new Uint8Array(await data.arrayBuffer()) } : {};
  showFiles();
}

async function listExamples() {
  const list = await (await fetch("examples/list.json")).json();
  for (const { name, title } of list) {
    const option = new Option(name.replaceAll("_", " "), name);
    option.title = title;
    $("examples").append(option);
  }
}

async function begin() {
  const hash = location.hash;
  await listExamples();
  if (hash.length > 1) {
    try {
      const got = await decode(hash);
      setModel(got.model);
      setSettings(got.settings);
      files = got.files;
      showFiles();
    } catch (err) {
      $("shared").textContent = `The link cannot be read: ${err.message}.`;
    }
  } else {
    $("examples").value = "eight_schools";
    await loadExample("eight_schools");
  }
  await engine.ready;
  client.connect(engine.transport());
  await client.initializing;
  $("run").disabled = false;
  $("run").textContent = "Run";
}

$("settings").onsubmit = run;
$("stop").onclick = () => { $("stop").disabled = true; engine.stop(); };
$("share").onclick = share;
$("examples").onchange = (e) => e.target.value && loadExample(e.target.value);
$("pick").onchange = (e) => addFiles(e.target.files);
$("tab-report").onclick = () => showTab("report");
$("tab-summary").onclick = () => showTab("summary");
for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
  document.addEventListener(name, (e) => {
    e.preventDefault();
    $("drop").classList.toggle("over", over);
    if (name === "drop") addFiles(e.dataTransfer.files);
  });
}
begin().catch((err) => { $("progress").textContent = `The playground did not start: ${err.message}`; });
