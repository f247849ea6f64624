//go:build !js && !wasip1

package show

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// look is what TestPageInBrowser asks of a page: a list of what is wrong with it.
//
//go:embed testdata/look.js
var look string

// browserPage is a page with each kind of what a report has.
func browserPage(t *testing.T) []byte {
	t.Helper()
	p := &Page{}
	p.verdict("unsure: too few draws & more")
	p.heading("Summary")
	wide := Table{Head: []string{"file", "SHA-256"}}
	wide.Add("data.json", "2c865d99b4ea52848908b629a01ed84679fef3a2fc175732c865d99b4ea52848")
	if err := wide.Write(p); err != nil {
		t.Fatal(err)
	}
	p.forests([]SummaryVar{{Name: "a[0]", Q5: -1, Q50: 0, Q95: 1},
		{Name: "a[1]", Q5: 1, Q50: 2, Q95: 3}})
	chains := make([][]float64, 16)
	for k := range chains {
		chains[k] = ar(100, 0.5, uint64(k))
	}
	s := energySection(chains, &run.Record{})
	if err := p.Section(&s); err != nil {
		t.Fatal(err)
	}
	p.numbers([]Number{{SummaryVar{Name: "x", Q5: -1, Q95: 1}, chains}}, 1)
	p.heading("Model")
	p.pre("param x : real ~ normal(0, 1) // " + "a long comment, and on and on and on and on and on")
	return p.Document("browser")
}

// TestPageInBrowser: on a phone and on a desk, in light and in dark, nothing of a report is wider
// than the page but tables, which scroll; pictures have text alternatives, tables headers, text
// and lines contrast; nothing is loaded; charts zoom by keys, and need no script to be seen.
func TestPageInBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	page := browserPage(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Write(page)
	}))
	defer s.Close()
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium),
		chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	all, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	defer cancel()
	tab, cancel := chromedp.NewContext(all)
	defer cancel()
	tab, cancel = context.WithTimeout(tab, 2*time.Minute)
	defer cancel()
	for _, width := range []int64{390, 1440} {
		for _, scheme := range []string{"light", "dark"} {
			var wrong []string
			var kinds int
			var verdict string
			if err := chromedp.Run(tab, emulation.SetEmulatedMedia().WithFeatures(
				[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
				chromedp.EmulateViewport(width, 844), chromedp.Navigate(s.URL),
				chromedp.Text(".verdict", &verdict), chromedp.Evaluate(look, &wrong),
				chromedp.Evaluate(`new Set([...document.querySelectorAll("main section figure:first-of-type path")]
					.map((p) => getComputedStyle(p)).filter((s) => s.stroke !== "none")
					.map((s) => s.stroke + s.strokeDasharray)).size`, &kinds)); err != nil {
				t.Fatal(err)
			}
			shot(t, tab, fmt.Sprintf("page-%d-%s.png", width, scheme))
			if len(wrong) > 0 || verdict != "unsure: too few draws & more" || kinds < 16 {
				t.Errorf("%d pixels, %s: verdict %q, %d kinds of lines of 16 chains\n%s", width,
					scheme, verdict, kinds, strings.Join(wrong, "\n"))
			}
			zoom(t, tab, fmt.Sprintf("zoom-%d-%s.png", width, scheme))
		}
	}
	var wide []int
	if err := chromedp.Run(tab, emulation.SetEmulatedMedia().WithMedia("print"),
		chromedp.EmulateViewport(720, 1000), chromedp.Navigate(s.URL),
		chromedp.Evaluate(`[document.documentElement, ...document.querySelectorAll(".wide, pre, .forest")]
			.map((e) => e.scrollWidth - e.clientWidth).filter((d) => d > 0)`, &wide)); err != nil {
		t.Fatal(err)
	}
	shot(t, tab, "print.png")
	if len(wide) > 0 {
		t.Errorf("on paper something is wider than its place: %v", wide)
	}
	var shown, buttons int
	const count = `document.querySelectorAll(%q).length`
	if err := chromedp.Run(tab, emulation.SetScriptExecutionDisabled(true),
		chromedp.Navigate(s.URL),
		chromedp.Evaluate(fmt.Sprintf(count, "figure svg path"), &shown),
		chromedp.Evaluate(fmt.Sprintf(count, "button"), &buttons)); err != nil {
		t.Fatal(err)
	}
	if shown < 50 || buttons != 0 {
		t.Errorf("without a script %d paths and %d buttons", shown, buttons)
	}
}

// zoom opens a chart by the keyboard, moves in it, and closes it.
func zoom(t *testing.T, tab context.Context, name string) {
	t.Helper()
	const state = `(() => {
		const f = document.querySelector("figure.zoomed");
		if (!f) return "closed";
		const b = f.querySelector(":scope > button");
		return [f.querySelectorAll("canvas").length, getComputedStyle(f.querySelector("svg")).display,
			document.documentElement.scrollWidth <= innerWidth, b.textContent,
			b.getAttribute("aria-expanded")].join();
	})()`
	const pixels = `(() => {
		const c = document.querySelector("figure.zoomed canvas"), g = c.getContext("2d");
		return g.getImageData(0, 0, c.width, c.height).data.reduce((h, v) => (h * 31 + v) | 0, 7);
	})()`
	var open, moved, closed string
	var first, in, back int
	wait := chromedp.Sleep(50 * time.Millisecond) // uPlot draws behind the current task
	if err := chromedp.Run(tab, chromedp.Focus("main section figure.chart > button"),
		chromedp.KeyEvent(kb.Enter), wait, chromedp.Evaluate(state, &open),
		chromedp.Evaluate(pixels, &first)); err != nil {
		t.Fatal(err)
	}
	shot(t, tab, name)
	if err := chromedp.Run(tab, chromedp.KeyEvent("+"), wait, chromedp.Evaluate(pixels, &in),
		chromedp.KeyEvent("0"), wait, chromedp.Evaluate(pixels, &back),
		chromedp.Evaluate(state, &moved), chromedp.KeyEvent(kb.Escape),
		chromedp.Evaluate(state, &closed)); err != nil {
		t.Fatal(err)
	}
	if open != "1,none,true,Close,true" || moved != open || closed != "closed" || in == first ||
		back != first {
		t.Errorf("%s: open %s, moved %s, then %s; pixels %d, %d, %d", name, open, moved, closed,
			first, in, back)
	}
}

// shot keeps a picture of the page, where SGPPL_SHOTS names a directory.
func shot(t *testing.T, tab context.Context, name string) {
	t.Helper()
	dir := os.Getenv("SGPPL_SHOTS")
	if dir == "" {
		return
	}
	var png []byte
	if err := chromedp.Run(tab, chromedp.CaptureScreenshot(&png)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), png, 0o666); err != nil {
		t.Fatal(err)
	}
}
