//go:build !js && !wasip1

package show

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPageInBrowser: on a phone nothing of a report is wider than the page but tables, which
// scroll; the lines of sixteen chains differ in colour or in dashes.
func TestPageInBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	p := &Page{}
	p.verdict("unsure: too few draws & more")
	p.heading("Summary")
	wide := Table{Head: []string{"file", "SHA-256"}}
	wide.Add("data.json", "2c865d99b4ea52848908b629a01ed84679fef3a2fc175732c865d99b4ea52848")
	if err := wide.Write(p); err != nil {
		t.Fatal(err)
	}
	chains := make([][]float64, 16)
	for k := range chains {
		chains[k] = []float64{float64(k), 1, float64(-k)}
	}
	writeFigures(&p.Body, []Figure{newFigure(SummaryVar{Name: "x"}, chains)})
	p.pre("param x : real ~ normal(0, 1) // " + "a long comment, and on and on and on and on and on")
	page := p.Document("browser")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(page) }))
	defer s.Close()

	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	all, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	defer cancel()
	tab, cancel := chromedp.NewContext(all)
	defer cancel()
	tab, cancel = context.WithTimeout(tab, time.Minute)
	defer cancel()
	var width, kinds int
	var verdict string
	err = chromedp.Run(tab, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Navigate(s.URL),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &width),
		chromedp.Text(".verdict", &verdict),
		chromedp.Evaluate(`new Set([...document.querySelectorAll("g:first-of-type path")].map((p) => {
			const s = getComputedStyle(p);
			return s.stroke + s.strokeDasharray;
		})).size`, &kinds))
	if err != nil {
		t.Fatal(err)
	}
	if width > 390 || verdict != "unsure: too few draws & more" || kinds != 16 {
		t.Errorf("%d pixels wide, verdict %q, %d kinds of lines of 16 chains", width, verdict, kinds)
	}
}
