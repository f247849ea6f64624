// The page of a run that goes on. Each message of the server is a whole view of the run (View
// in view.go): the page shows the newest, and keeps the last when the server is gone.
"use strict";

const $ = (id) => document.getElementById(id);
const svgSpace = "http://www.w3.org/2000/svg";
const dash = "\u2013";

// element makes an element with text and attributes.
function element(tag, text, attributes = {}) {
  const e = document.createElement(tag);
  e.textContent = text;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

// say puts a text into an element, if it is another: readers of screens hear what changes.
function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// short writes a number with four digits.
function short(x, digits = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return dash;
  const text = Number(x.toPrecision(digits));
  const size = Math.abs(text);
  return size !== 0 && (size >= 1e7 || size < 1e-4) ? text.toExponential() : String(text);
}

// rate writes a rate: 52.1 k rows/s.
function rate(x, unit) {
  if (x >= 1e6) return `${short(x / 1e6, 3)} M ${unit}`;
  if (x >= 1e4) return `${short(x / 1e3, 3)} k ${unit}`;
  return `${short(x)} ${unit}`;
}

// time writes seconds: 1 h 02 min.
function time(s) {
  if (s < 60) return `${Math.round(s)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(Math.floor(s % 60)).padStart(2, "0")} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, "0")} min`;
}

// kind is the class of the line of a chain: of four colours and four kinds of dashes, as in reports.
const kind = (chain) => `c${chain % 4} d${Math.floor(chain / 4) % 4}`;

// path makes an element of SVG from points, with a gap where one is not finite.
function path(line, right, up) {
  let d = "", pen = "M";
  line.x.forEach((x, i) => {
    const y = line.y[i];
    if (y === null) {
      pen = "M";
      return;
    }
    d += `${pen}${right(x).toFixed(1)} ${up(y).toFixed(1)}`;
    pen = "L";
  });
  const p = document.createElementNS(svgSpace, "path");
  p.setAttribute("d", d);
  p.setAttribute("class", kind(line.chain));
  return p;
}

// range is the least and the largest of lists of numbers.
function range(lists) {
  let lo = Infinity, hi = -Infinity;
  for (const list of lists) {
    for (const x of list) {
      if (x === null) continue;
      if (x < lo) lo = x;
      if (x > hi) hi = x;
    }
  }
  return lo > hi ? [0, 0] : [lo, hi];
}

// figure draws a chart.
function figure(chart) {
  const f = element("figure", "", { "data-kind": chart.kind, "data-title": chart.title });
  const caption = element("figcaption", "");
  caption.append(element("b", chart.title), " ", element("span", chart.caption));
  const [left, end] = range(chart.lines.map((l) => l.x));
  const [low, high] = range(chart.lines.map((l) => l.y));
  const wide = end > left ? end - left : 1, tall = high > low ? high - low : 1;
  const middle = high > low ? 0 : 50;
  const svg = document.createElementNS(svgSpace, "svg");
  for (const [k, v] of [["viewBox", "0 -2 400 104"], ["preserveAspectRatio", "none"], ["role", "img"],
    ["aria-label", `${chart.title}, a line for each of ${chart.lines.length} chains along the ` +
      `${chart.x} from ${left} to ${end}, between ${short(low)} and ${short(high)}; ${chart.caption}`]]) {
    svg.setAttribute(k, v);
  }
  for (const l of chart.lines) {
    svg.append(path(l, (x) => 400 * (x - left) / wide, (y) => 100 - middle - 100 * (y - low) / tall));
  }
  const plot = element("div", "", { class: "plot" });
  const ends = element("span", "", { class: "ends" });
  ends.append(element("span", String(left)), element("span", chart.x), element("span", String(end)));
  plot.append(element("span", short(high), { class: "high" }), svg,
    element("span", short(low), { class: "low" }), ends);
  f.append(caption, plot);
  return f;
}

// rows fills the body of a table.
function rows(id, list) {
  $(id).hidden = list.length === 0;
  $(id).querySelector("tbody").replaceChildren(...list.map((cells) => {
    const tr = document.createElement("tr");
    tr.append(...cells.map(([text, name]) => element("td", text, name ? { class: name } : {})));
    return tr;
  }));
}

// legend names the chains by their lines.
function legend(chains) {
  if ($("legend").children.length === chains.length) return;
  $("legend").replaceChildren(...chains.map((c) => {
    const svg = document.createElementNS(svgSpace, "svg");
    svg.setAttribute("viewBox", "0 0 40 10");
    svg.append(path({ chain: c.chain, x: [0, 40], y: [5, 5] }, (x) => x, (y) => y));
    const s = element("span", "");
    s.append(svg, `chain ${c.chain}`);
    return s;
  }));
}

// amounts are the numbers under the bar.
function amounts(v) {
  const parts = [];
  if (v.draws_of > v.chains.length) parts.push(`${v.draws} of ${v.draws_of} draws`);
  if (v.steps_per_second !== null && !v.final) parts.push(rate(v.steps_per_second, "steps/s"));
  if (v.rows_per_second > 0 && !v.final) parts.push(rate(v.rows_per_second, "rows/s"));
  if (v.seconds > 0) parts.push(time(v.seconds));
  if (v.seconds_left > 0 && !v.final) parts.push(`about ${time(v.seconds_left)} left`);
  return parts.join(" \u00b7 ");
}

// show shows a view.
function show(v) {
  const share = v.share || 0;
  document.title = `${v.state === "running" ? Math.floor(100 * share) + " %" : v.state}: ${v.model}`;
  document.body.dataset.state = v.state;
  document.body.dataset.draws = v.draws;
  say("model", v.model);
  say("method", `${v.method} \u00b7 ${v.run}`);
  say("verdict", v.sentence || "Nothing can be said of the draws yet.");
  $("verdict").className = `verdict ${v.verdict}`;
  say("state", v.state);
  say("words", v.words);
  if (v.state === "setting up") $("share").removeAttribute("value");
  else $("share").value = share;
  $("numbers").textContent = amounts(v);
  $("stop").hidden = !v.stop;
  if (v.state !== "running" && v.state !== "setting up") $("asked").textContent = "";
  $("resume").hidden = !v.resume;
  $("resume").querySelector("code").textContent = v.resume || "";
  const traces = v.charts.filter((c) => c.kind === "trace");
  const others = v.charts.filter((c) => c.kind !== "trace");
  $("draws").hidden = traces.length === 0;
  $("curves").hidden = others.length === 0;
  say("from", v.from);
  say("of", v.of || "");
  legend(v.chains);
  $("traces").replaceChildren(...traces.map(figure));
  $("others").replaceChildren(...others.map(figure));
  rows("health", v.health.map((h) => [[h.block], [h.statistic],
    [h.verdict || dash, h.verdict], [(h.at_least ? "\u2265 " : "") + short(h.value)],
    [short(h.expected)], [short(h.mcse)], [h.chain < 0 ? "all" : String(h.chain)]]));
  rows("chains", v.chains.map((c) => [[String(c.chain)], [String(c.step)], [String(c.steps)],
    [String(c.draws)], [String(c.draws_of)], [short(c.step_size, 3)],
    [c.ended ? "complete" : c.step < c.warmup ? "warm-up" : ""]]));
  $("notes").hidden = v.notes.length === 0;
  $("notes").querySelector("ul").replaceChildren(...v.notes.map((n) => element("li", n)));
}

// listen follows the server until it says that the run has ended.
function listen() {
  const events = new EventSource("events");
  let silent = 0, unseen = null; // what came while nobody looked
  const take = (v) => {
    if (document.hidden) unseen = v;
    else show(v);
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && unseen) show(unseen);
    unseen = null;
  });
  events.addEventListener("view", (e) => take(JSON.parse(e.data)));
  events.addEventListener("end", (e) => {
    events.close();
    take({ ...JSON.parse(e.data), final: true });
  });
  events.onopen = () => {
    silent = 0;
    $("lost").hidden = true;
  };
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) silent = 9; // it refused
    $("lost").hidden = ++silent < 2;
    $("lost").textContent = "The server does not answer: its program has ended, or the connection is cut. " +
      "This is the last that it said." + (silent < 9 ? " The page tries again." : "");
  };
}

// stop asks the run to stop, at the second press within four seconds.
function stop() {
  const button = $("stop"), plain = button.textContent;
  let armed = 0;
  const disarm = () => {
    clearTimeout(armed);
    armed = 0;
    button.textContent = plain;
  };
  button.addEventListener("click", async () => {
    if (!armed) {
      button.textContent = "Press again to stop";
      armed = setTimeout(disarm, 4000);
      return;
    }
    disarm();
    button.disabled = true;
    const asked = $("asked");
    asked.textContent = "Asking the run to stop …";
    try {
      const answer = await fetch("stop", { method: "POST" });
      if (!answer.ok) throw new Error(await answer.text());
      // A view that says how the run is now may have come first.
      if (asked.textContent) asked.textContent = "The run is asked to stop.";
    } catch (e) {
      asked.textContent = `The run was not asked to stop: ${e.message}`;
      button.disabled = false;
    }
  });
}

stop();
listen();
