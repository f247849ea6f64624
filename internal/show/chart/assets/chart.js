// Zoom of charts: a button at every chart that has numbers beside it draws them by uPlot.
// Without this script the page has the same pictures, and no buttons.
"use strict";
(() => {
  const gap = 65535;

  // numbers of a series that were packed into 16 bits.
  const unpack = (s) => {
    const bytes = Uint8Array.from(atob(s.bits), (c) => c.charCodeAt(0));
    const [lo, hi] = s.ends;
    const out = new Array(bytes.length / 2);
    for (let i = 0; i < out.length; i++) {
      const code = bytes[2 * i] | (bytes[2 * i + 1] << 8);
      out[i] = code === gap ? null : lo + (hi - lo) * (code / (gap - 1));
    }
    return out;
  };

  // table is a series as columns: where its numbers are, and what they are.
  const table = (s) => {
    const y = s.bits ? unpack(s) : s.y;
    const n = s.mark === "steps" ? y.length + 1 : y.length;
    const x = s.even ? Array.from({ length: n }, (_, i) => s.even[0] + s.even[1] * i) : s.x;
    const columns = [s.mark === "steps" ? y.concat(y.slice(-1)) : y];
    if (s.y2) columns.push(s.y2);
    const order = x.map((_, i) => i).filter((i) => x[i] !== null).sort((a, b) => x[a] - x[b]);
    const across = order.map((i) => x[i]);
    for (let i = 1; i < across.length; i++) { // uPlot has one number at a place
      if (across[i] <= across[i - 1]) across[i] = across[i - 1] + 1e-12 * (Math.abs(across[i - 1]) + 1e-6);
    }
    return [across, ...columns.map((c) => order.map((i) => c[i] ?? null))];
  };

  // look asks the style sheet how a class is drawn.
  const look = (figure, classes) => {
    const svg = figure.querySelector("svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", classes);
    svg.append(path);
    const style = getComputedStyle(path);
    const dash = style.strokeDasharray;
    const out = {
      stroke: style.stroke === "none" ? style.color : style.stroke,
      alpha: Number(style.strokeOpacity),
      width: parseFloat(style.strokeWidth) / 3,
      dash: dash === "none" ? [] : dash.split(/[ ,]+/).map((d) => parseFloat(d) / 2),
    };
    path.remove();
    return out;
  };

  const draw = (figure, holder, chart) => {
    const text = getComputedStyle(document.body).color;
    const line = getComputedStyle(document.documentElement).getPropertyValue("--line").trim();
    const tables = [], series = [{ label: chart.x.name || "" }], bands = [];
    for (const s of chart.series) {
      const style = look(figure, s.class);
      tables.push(table(s));
      const base = {
        label: s.name || chart.y.name || chart.title, stroke: style.stroke, alpha: style.alpha,
        width: Math.max(1, style.width), dash: style.dash, spanGaps: true,
        points: { show: false },
      };
      if (s.mark === "points") {
        Object.assign(base, { paths: () => null, points: { show: true, size: 6, fill: style.stroke } });
      } else if (s.mark === "steps") {
        base.paths = uPlot.paths.stepped({ align: 1 });
      }
      series.push(base);
      if (s.y2) {
        series.push({ ...base, label: base.label + " to" });
        bands.push({ series: [series.length - 1, series.length - 2], fill: "rgba(128,128,128,0.2)" });
      }
    }
    const axis = (name) => ({
      label: name, stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 },
      labelSize: 18, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    });
    const axes = [axis(chart.x.name), axis(chart.y.name)];
    [chart.x, chart.y].forEach((a, i) => {
      if (a.names) {
        axes[i].values = (_, at) => at.map((v) => a.names[v] ?? "");
        axes[i].incrs = [1, 2, 5, 10, 20, 50, 100];
      }
    });
    const whole = (a) => (a.lo === undefined ? undefined : [a.lo, a.hi]);
    const plot = new uPlot({
      width: holder.clientWidth, height: Math.min(460, Math.max(280, holder.clientWidth / 2.4)),
      scales: {
        x: { time: false },
        y: { range: whole(chart.y) },
      },
      series, axes, bands, cursor: { drag: { x: true, y: true, uni: 30 } },
    }, uPlot.join(tables), holder);
    return plot;
  };

  // view moves what a plot shows: by shares of its width.
  const view = (plot, from, to) => {
    const { min, max } = plot.scales.x;
    plot.setScale("x", { min: min + (max - min) * from, max: min + (max - min) * to });
  };
  const reset = (plot) => {
    const x = plot.data[0];
    plot.setScale("x", { min: x[0], max: x[x.length - 1] });
    plot.setScale("y", { min: null, max: null });
  };
  const moves = [
    ["+", "Zoom in", (p) => view(p, 0.2, 0.8)], ["−", "Zoom out", (p) => view(p, -0.35, 1.35)],
    ["←", "Move left", (p) => view(p, -0.25, 0.75)], ["→", "Move right", (p) => view(p, 0.25, 1.25)],
    ["0", "Show all", reset],
  ];
  const keys = { "+": 0, "=": 0, "-": 1, "ArrowLeft": 2, "ArrowRight": 3, "0": 4 };

  const prepare = (figure, source) => {
    const title = figure.querySelector("figcaption b").textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Zoom";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", "Zoom: " + title);
    let open = null;
    const close = () => {
      open.plot.destroy();
      open.box.remove();
      open.watch.disconnect();
      open.dark.removeEventListener("change", open.again);
      open = null;
      figure.classList.remove("zoomed");
      button.textContent = "Zoom";
      button.setAttribute("aria-expanded", "false");
    };
    const show = () => {
      const chart = JSON.parse(source.textContent);
      figure.classList.add("zoomed");
      const box = document.createElement("div");
      box.className = "zoom";
      const group = document.createElement("div");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", "Move in " + title);
      const holder = document.createElement("div");
      box.append(group, holder);
      figure.append(box);
      open = { box, plot: draw(figure, holder, chart) };
      for (const [text, label, move] of moves) {
        const b = document.createElement("button");
        b.type = "button";
        b.textContent = text;
        b.setAttribute("aria-label", label);
        b.addEventListener("click", () => move(open.plot));
        group.append(b);
      }
      open.again = () => {
        open.plot.destroy();
        open.plot = draw(figure, holder, chart);
      };
      open.dark = matchMedia("(prefers-color-scheme: dark)");
      open.dark.addEventListener("change", open.again);
      open.watch = new ResizeObserver(() => {
        if (holder.clientWidth > 0 && open && open.plot.width !== holder.clientWidth) {
          open.plot.setSize({ width: holder.clientWidth, height: open.plot.height });
        }
      });
      open.watch.observe(holder);
      button.textContent = "Close";
      button.setAttribute("aria-expanded", "true");
    };
    button.addEventListener("click", () => (open ? close() : show()));
    figure.addEventListener("keydown", (e) => {
      if (!open || e.ctrlKey || e.altKey || e.metaKey) return;
      if (e.key === "Escape") {
        close();
        button.focus();
      } else if (e.key in keys) {
        moves[keys[e.key]][2](open.plot);
        e.preventDefault();
      }
    });
    figure.append(button);
  };

  for (const figure of document.querySelectorAll("figure.chart")) {
    const source = figure.querySelector('script[type="application/json"]');
    if (source && typeof uPlot === "function") prepare(figure, source);
  }
})();
