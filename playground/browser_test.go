//go:build !js && !wasip1

package playground

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// inBrowser returns a tab of headless Chromium, of the size of a desktop or of a phone, or
// skips the test where there is no Chromium.
func inBrowser(t *testing.T, width, height int) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.WindowSize(width, height),
		chromedp.WSURLReadTimeout(time.Minute))
	all, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(all)
	t.Cleanup(cancel)
	return tab
}

// do runs actions in a tab, and shows the page where SGPPL_SCREENSHOTS names a directory.
func do(t *testing.T, tab context.Context, name string, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(tab, actions...); err != nil {
		var page string
		if wrong := chromedp.Run(tab,
			chromedp.Evaluate(`document.getElementById("progress").textContent`, &page)); wrong == nil {
			t.Logf("progress: %s", page)
		}
		t.Fatalf("%s: %v", name, err)
	}
	if dir := os.Getenv("SGPPL_SCREENSHOTS"); dir != "" {
		var picture []byte
		if err := chromedp.Run(tab, chromedp.Sleep(time.Second),
			chromedp.FullScreenshot(&picture, 100)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// served is the address of the page with the engine of the working tree.
func served(t *testing.T) string {
	t.Helper()
	e, err := NewEngine(t.Context(), "..")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := e.Handler()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(pages)
	t.Cleanup(s.Close)
	return s.URL
}

// until waits for an expression to be true, for as long as the test may run.
func until(expression string) chromedp.Action {
	return chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(0))
}

const loaded = `!document.getElementById("run").disabled`

// ended is true when a run has ended.
const ended = `!document.getElementById("run").disabled && document.getElementById("progress").dataset.status !== undefined`

// TestPage: the page samples an example, shows its verdict and its report, underlines a
// mistake, mends it by the language server, and gives a link that carries all.
func TestPage(t *testing.T) {
	tab := inBrowser(t, 1440, 900)
	address := served(t)
	do(t, tab, "loaded", chromedp.Navigate(address), until(loaded))

	var verdict, summary, report, first string
	do(t, tab, "sampled", chromedp.Click("#run"), until(ended),
		chromedp.Text("#progress", &verdict),
		chromedp.Evaluate(`document.getElementById("progress").dataset.first`, &first),
		chromedp.TextContent("#summary", &summary),
		chromedp.Evaluate(`document.getElementById("report").srcdoc`, &report))
	t.Logf("%s; the first steps came after %s ms", verdict, first)
	if !strings.HasPrefix(verdict, "ok: none of 10 statistics speaks against these draws") {
		t.Errorf("the verdict is %q", verdict)
	}
	if !strings.Contains(summary, "eight_schools") &&
		!strings.Contains(summary, "model by nuts: 4 chains of 1000 draws") ||
		!strings.Contains(summary, "theta[7]") {
		t.Errorf("the summary is\n%s", summary)
	}
	if !strings.Contains(report, "<svg") || !strings.Contains(report, "theta[7]") {
		t.Errorf("the report has %d bytes", len(report))
	}

	var link, hint string
	do(t, tab, "linked", chromedp.Click("#share"), until(`location.hash.length > 100`),
		chromedp.Evaluate("location.href", &link))
	do(t, tab, "mistaken", chromedp.Focus(".cm-content"),
		chromedp.Evaluate(`document.execCommand("insertText", false, "param q : rael\n")`, nil),
	)
	do(t, tab, "underlined", chromedp.WaitReady(".cm-lintRange-error"), chromedp.Click("#run"),
		until(`document.getElementById("summary").textContent.includes("rael")`),
		chromedp.TextContent("#summary", &hint))
	if !strings.Contains(hint, "real") {
		t.Errorf("a mistake is answered by\n%s", hint)
	}

	do(t, tab, "from a link", chromedp.Navigate("about:blank"), chromedp.Navigate(link),
		until(loaded),
		chromedp.Click("#run"), until(ended), chromedp.Text("#progress", &hint))
	if bare := strings.TrimRight(verdict, "0123456789. s()"); !strings.HasPrefix(hint, bare) {
		t.Errorf("from a link the verdict is %q", hint)
	}
}

// TestPageOnPhone: nothing is wider than the page of a phone, and a run that is stopped
// shows the draws that it has.
func TestPageOnPhone(t *testing.T) {
	tab := inBrowser(t, 390, 844)
	var wide bool
	var summary string
	do(t, tab, "phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile),
		chromedp.Navigate(served(t)), until(loaded),
		chromedp.Evaluate(`document.documentElement.scrollWidth > 390`, &wide))
	if wide {
		t.Error("the page is wider than 390 pixels")
	}
	do(t, tab, "stopped", chromedp.SetValue("[name=draws]", "1000000"),
		chromedp.SetValue("[name=chains]", "2"), chromedp.Click("#run"),
		until(`document.querySelectorAll("#progress progress")[0]?.value > 1200`),
		chromedp.Click("#stop"), until(ended),
		chromedp.TextContent("#summary", &summary))
	if !strings.Contains(summary, "stopped") || !strings.Contains(summary, "theta[7]") {
		t.Errorf("the summary of a run that was stopped is\n%s", summary)
	}
}
