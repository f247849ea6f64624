//go:build !js && !wasip1

package live

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// inBrowser returns a tab of headless Chromium, or skips the test where there is none.
func inBrowser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	all, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(all)
	t.Cleanup(cancel)
	tab, cancel = context.WithTimeout(tab, 2*time.Minute)
	t.Cleanup(cancel)
	return tab
}

// picture writes a screenshot where SGPPL_SCREENSHOTS names a directory.
func picture(t *testing.T, tab context.Context, name string) {
	t.Helper()
	dir := os.Getenv("SGPPL_SCREENSHOTS")
	if dir == "" {
		return
	}
	var b []byte
	if err := chromedp.Run(tab, chromedp.FullScreenshot(&b, 100)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// eval evaluates an expression in the page.
func eval[T any](t *testing.T, tab context.Context, expression string) (out T) {
	t.Helper()
	if err := chromedp.Run(tab, chromedp.Evaluate(expression, &out)); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return out
}

// until waits for an expression of the page to be true.
func until(t *testing.T, tab context.Context, expression string) {
	t.Helper()
	if err := chromedp.Run(tab, chromedp.Poll(expression, nil,
		chromedp.WithPollingTimeout(time.Minute))); err != nil {
		t.Fatalf("%s: %v\n%s", expression, err, eval[string](t, tab, `document.body.innerText`))
	}
}

const colours = `new Set([...document.querySelectorAll("#traces figure:first-of-type path")].map((p) => {
	const s = getComputedStyle(p);
	return s.stroke + s.strokeDasharray;
})).size`

// TestPage: the page shows what the views say, as they come, on a phone and on a desk, dark and
// light; nothing is wider than a phone but tables, which scroll; names are text and not HTML; the
// stop button asks the run at its second press; what was seen last stays when the server is gone.
func TestPage(t *testing.T) {
	tab := inBrowser(t)
	var stops atomic.Int32
	p := play(16, 3)
	p.numbers[2].Name = `<img src=x onerror="document.title='broken'">`
	s := serve(t, func() error {
		stops.Add(1)
		p.Stopping()
		s := p.View()
		_ = s
		return nil
	})
	s.Send(Waiting("m"))
	if err := chromedp.Run(tab, chromedp.EmulateViewport(1440, 900),
		chromedp.Navigate(s.URL())); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.getElementById("state").textContent === "setting up"`)
	if eval[bool](t, tab, `document.getElementById("share").hasAttribute("value")`) ||
		eval[bool](t, tab, `!document.getElementById("stop").hidden`) {
		t.Error("in the set-up there is a share, or a button")
	}
	p.Event(run.Event{Event: "note", Text: "sampler auto: minibatches"})
	p.all(30, 1)
	s.Send(p.view(t))
	until(t, tab, `document.querySelectorAll("#traces figure").length === 3`)
	first := eval[int](t, tab, `document.querySelector("#traces path").getAttribute("d").length`)
	if v := eval[string](t, tab, `document.querySelector(".verdict").className`); v != "verdict early" {
		t.Error(v)
	}
	p.all(220, 1)
	s.Send(p.view(t))
	until(t, tab, `document.querySelector(".verdict").className === "verdict off"`)
	if n := eval[int](t, tab, `document.querySelector("#traces path").getAttribute("d").length`); n < 3*first {
		t.Errorf("the trace had %d characters, and has %d", first, n)
	}
	if n := eval[int](t, tab, colours); n != 16 {
		t.Errorf("%d kinds of lines of 16 chains", n)
	}
	if text := eval[string](t, tab, `document.body.innerText`); !strings.Contains(text,
		"off so far: ") ||
		!strings.Contains(text, "4000 of 16000 draws") || !strings.Contains(text, "1.6 M rows/s") ||
		!strings.Contains(text, `<img src=x onerror=`) || !strings.Contains(text, "sampler auto") {
		t.Error(text)
	}
	if title := eval[string](t, tab, `document.title`); title != "28 %: m" {
		t.Error(title)
	}
	for _, width := range []int64{390, 1440} {
		for _, scheme := range []string{"light", "dark"} {
			if err := chromedp.Run(tab, chromedp.EmulateViewport(width, 900),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: scheme}})); err != nil {
				t.Fatal(err)
			}
			if w := eval[int64](t, tab, `document.documentElement.scrollWidth`); w > width {
				t.Errorf("%d pixels wide on a page of %d", w, width)
			}
			dark := eval[string](t, tab, `getComputedStyle(document.body).backgroundColor`) == "rgb(18, 18, 18)"
			if dark != (scheme == "dark") {
				t.Errorf("%s: dark is %t", scheme, dark)
			}
			picture(t, tab, fmt.Sprintf("live-%d-%s", width, scheme))
		}
	}
	press := chromedp.Click("#stop")
	if err := chromedp.Run(tab, press); err != nil {
		t.Fatal(err)
	}
	if stops.Load() != 0 || eval[string](t, tab,
		`document.getElementById("stop").textContent`) != "Press again to stop" {
		t.Error("one press is enough")
	}
	if err := chromedp.Run(tab, press); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.getElementById("asked").textContent === "The run is asked to stop."`)
	if n := stops.Load(); n != 1 {
		t.Errorf("%d wishes to stop", n)
	}
	s.Send(p.view(t))
	until(t, tab, `document.getElementById("state").textContent === "stopping"`)
	s.End(nil, p.End(Ended{State: Interrupted, Words: "a checkpoint of every chain is written",
		Resume: "sgppl sample --resume runs/m-1"}))
	until(t, tab, `document.getElementById("state").textContent === "interrupted"`)
	if text := eval[string](t, tab, `document.getElementById("resume").innerText`); text !=
		"To go on with it: sgppl sample --resume runs/m-1" {
		t.Error(text)
	}
	picture(t, tab, "live-ended")
	time.Sleep(1500 * time.Millisecond) // longer than a page waits before it comes again
	if !eval[bool](t, tab, `document.getElementById("lost").hidden &&
		document.querySelectorAll("#traces figure").length === 3`) {
		t.Error("the page forgets the run, or misses the server")
	}
}

// TestPageLosesServer: a server that ends without a word, as by kill -9, is missed, and the page
// keeps what it has.
func TestPageLosesServer(t *testing.T) {
	tab := inBrowser(t)
	p := play(2, 0)
	p.all(100, 1)
	s := serve(t, nil)
	s.Send(p.view(t))
	if err := chromedp.Run(tab, chromedp.Navigate(s.URL())); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.querySelectorAll("#traces figure").length === 3`)
	s.Close()
	until(t, tab, `!document.getElementById("lost").hidden`)
	if n := eval[int](t, tab, `document.querySelectorAll("#traces figure").length`); n != 3 {
		t.Errorf("%d figures are left", n)
	}
	picture(t, tab, "live-lost")
}
