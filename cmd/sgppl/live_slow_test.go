//go:build slow && !js && !wasip1

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestServedRunInBrowser: in Chromium the page of a run shows traces that grow; its button ends the
// run, which goes on to the bytes of a run that was never stopped.
func TestServedRunInBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	args, at := aRun(t, 30000)
	if status, _, stderr := inProcess(t, "", append(args, "--out", at("plain"))...); status != 0 {
		t.Fatal(stderr)
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium),
		chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute), chromedp.WindowSize(1440, 1000))
	all, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	defer cancel()
	tab, cancel := chromedp.NewContext(all)
	defer cancel()
	tab, cancel = context.WithTimeout(tab, 3*time.Minute)
	defer cancel()
	if err := chromedp.Run(tab, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	picture := func(name string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			dir := os.Getenv("SGPPL_SCREENSHOTS")
			if dir == "" {
				return nil
			}
			var b []byte
			if err := chromedp.FullScreenshot(&b, 100).Do(ctx); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name+".png"), b, 0o666)
		})
	}
	b := inBackground(t, append(args, "--out", at("run"), "--serve")...)
	poll := func(expression string) chromedp.Action {
		return chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(time.Minute))
	}
	const draws = `Number(document.body.dataset.draws)`
	var first, later int
	var words string
	err = chromedp.Run(tab, chromedp.Navigate(b.page(t)),
		poll(`document.querySelectorAll("#traces figure").length === 4 && `+
			`document.querySelectorAll("#others figure").length === 2`),
		chromedp.Evaluate(draws, &first),
		poll(`document.querySelector(".verdict.ok, .verdict.unsure, .verdict.off") !== null`),
		chromedp.Evaluate(draws, &later), picture("served-running"),
		chromedp.Click("#stop"), chromedp.Click("#stop"),
		poll(`document.body.dataset.state === "interrupted"`),
		chromedp.Text("#resume code", &words), picture("served-interrupted"))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.stderr())
	}
	if first == 0 || later < first || words != "sgppl sample --resume "+at("run") {
		t.Errorf("%d draws, then %d; %q", first, later, words)
	}
	if status := b.wait(t); status != session.ExitInterrupted {
		t.Fatalf("%d %s", status, b.stderr())
	}
	if r, err := run.Read(at("run")); err != nil || r.Status != run.Interrupted ||
		r.Chains[0].Draws == 0 || r.Chains[0].Draws == 100000 {
		t.Fatalf("%v %+v", err, r.Chains)
	}
	b = inBackground(t, "sample", "--resume", at("run"), "--serve", "--progress", "none")
	err = chromedp.Run(tab, chromedp.Navigate(b.page(t)),
		poll(`document.querySelectorAll("#traces figure").length === 4`),
		poll(`document.body.dataset.state === "done"`), picture("served-done"),
		chromedp.Text(".verdict", &words))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.stderr())
	}
	if status := b.wait(t); status != 0 || words == "" {
		t.Fatalf("%d %s", status, b.stderr())
	}
	sameFiles(t, at("plain"), at("run"))
}
