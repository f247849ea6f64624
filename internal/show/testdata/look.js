// What is wrong with a page, as a list of sentences: width, names of pictures, headers of tables,
// contrast, order of headings, what is loaded.
(() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);
  }
  if (performance.getEntriesByType("resource").some((r) => !r.name.endsWith("/favicon.ico"))) {
    wrong.push("something is loaded");
  }
  for (const svg of document.querySelectorAll("svg")) {
    if (svg.getAttribute("aria-hidden") === "true") continue;
    if (svg.getAttribute("role") !== "img" || (svg.getAttribute("aria-label") || "").length < 10) {
      wrong.push("a picture has no text alternative: " + svg.outerHTML.slice(0, 100));
    }
    if (!svg.closest("figure")?.querySelector("figcaption")?.textContent.trim()) {
      wrong.push("a picture has no caption");
    }
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.querySelector("thead th")) wrong.push("a table has no headers");
  }
  for (const e of document.querySelectorAll("button, a, [role=group]")) {
    if (!(e.getAttribute("aria-label") || e.textContent).trim()) wrong.push("no name: " + e.outerHTML);
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id stands twice");
  for (const a of document.querySelectorAll("nav a")) {
    if (!document.querySelector(a.getAttribute("href"))) wrong.push("a link goes nowhere");
  }
  if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
  let level = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const n = Number(h.tagName[1]);
    if (n > level + 1) wrong.push(`a heading of level ${n} stands below one of ${level}`);
    level = n;
  }
  // Elements that scroll can be reached by the keyboard.
  for (const e of document.querySelectorAll("pre, .wide, .forest")) {
    if (e.scrollWidth > e.clientWidth && e.tabIndex < 0) wrong.push("cannot be scrolled by keys");
  }

  // WCAG 2: 4.5 to 1 for text, 3 to 1 for lines of pictures.
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour, below = [255, 255, 255]) => {
    probe.fillStyle = `rgb(${below.join()})`;
    probe.fillRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (c !== "rgba(0, 0, 0, 0)") return rgb(c);
    }
    return rgb(matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
  };
  const mixed = (c, alpha, below) => c.map((v, i) => v * alpha + below[i] * (1 - alpha));
  const said = new Set();
  const need = (what, e, colour, alpha, least) => {
    const below = ground(e);
    const found = contrast(mixed(rgb(colour, below), alpha, below), below);
    const text = `${what}: contrast ${found.toFixed(2)} of ${least}`;
    if (found < least && !said.has(text)) {
      said.add(text);
      wrong.push(text);
    }
  };
  for (const e of document.querySelectorAll("p, th, td, h1, h2, h3, a, button, figcaption, pre, li")) {
    need("text in " + e.tagName, e, getComputedStyle(e).color, 1, 4.5);
  }
  for (const e of document.querySelectorAll("svg text")) {
    const s = getComputedStyle(e);
    need("text of a picture", e, s.fill, Number(s.opacity), 4.5);
  }
  for (const e of document.querySelectorAll("figure svg path")) {
    const s = getComputedStyle(e);
    if (s.stroke === "none" || e.classList.contains("soft")) continue;
    need("line of " + e.getAttribute("class"), e, s.stroke, Number(s.opacity) * Number(s.strokeOpacity), 3);
  }
  return wrong;
})()
