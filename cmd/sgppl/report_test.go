package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/examples"
)

// exampleFile writes a file of the examples into a directory.
func exampleFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := examples.Files.ReadFile("models/" + name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	write(t, path, string(text))
	return path
}

// schoolsRun is a short run of eight schools by nuts.
func schoolsRun(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	out := filepath.Join(dir, "run")
	args := append([]string{"sample", exampleFile(t, dir, "eight_schools.sg"), "--data",
		exampleFile(t, dir, "eight_schools.json"), "--sampler", "nuts", "--draws", "200", "--warmup",
		"200", "--engine", "vm", "--out", out}, flags...)
	if status, _, err := inProcess(t, "", args...); status != 0 {
		t.Fatal(err)
	}
	return out
}

// report is the page of a run.
func report(t *testing.T, run string, flags ...string) string {
	t.Helper()
	args := append([]string{"report", run, "--out", run + ".html", "--force"}, flags...)
	status, _, err := inProcess(t, "", args...)
	if status != 0 {
		t.Fatal(err)
	}
	page, wrong := os.ReadFile(run + ".html")
	if wrong != nil {
		t.Fatal(wrong)
	}
	return string(page)
}

// inOrder reports the first of some texts that does not stand behind those before.
func inOrder(text string, parts ...string) string {
	for _, part := range parts {
		i := strings.Index(text, part)
		if i < 0 {
			return part
		}
		text = text[i+len(part):]
	}
	return ""
}

// TestReportOfOptimize: the page of a run of optimize has its points and learning curves, of each
// chain and of every criterion that the run has, and without a trace says how to have them.
func TestReportOfOptimize(t *testing.T) {
	dir := t.TempDir()
	args := santaRun(t, dir, "traced")
	for i, a := range args {
		if strings.HasSuffix(a, ".sg") || strings.HasSuffix(a, ".json") {
			args[i] = filepath.Join(dir, a)
		}
		switch a {
		case "16000":
			args[i] = "2000"
		case "traced":
			args[i] = filepath.Join(dir, a)
		}
	}
	if status, _, err := inProcess(t, "", args...); status != 0 {
		t.Fatal(err)
	}
	page := report(t, filepath.Join(dir, "traced"))
	if missing := inOrder(page, ">Points</h2>", "line by santa: 2000 steps", "held-out lpd: best",
		">Learning curves</h2>", "Log density with all rows", "chain 1",
		"Log likelihood of a held-out row", "Error of held-out rows", "Temperature", ">Run</h2>",
		">Settings</h2>", "anneal_gamma", ">Model</h2>", "uPlot"); missing != "" {
		t.Errorf("%q is not in its place", missing)
	}
	if strings.Contains(page, "Accuracy of held-out rows") {
		t.Error("a curve of what the run has not")
	}
	for i, a := range args {
		switch a {
		case "--trace":
			args[i] = "--force"
		case filepath.Join(dir, "traced"):
			args[i] = filepath.Join(dir, "plain")
		}
	}
	if status, _, err := inProcess(t, "", args...); status != 0 {
		t.Fatal(err)
	}
	plain := report(t, filepath.Join(dir, "plain"))
	if !strings.Contains(plain, "optimize --trace") || strings.Contains(plain, "uPlot") {
		t.Error("without a trace the page has curves, or does not say how to have some")
	}
	if _, err := os.Stat(filepath.Join(dir, "plain", "checks.zarr")); err == nil {
		t.Error("a run without a trace has a store of it")
	}
}

// TestReportOfSchools: the page begins with the verdict and ends with the model; pairs are those
// that are asked for, and mistakes in them are answered; the same run gives the same bytes.
func TestReportOfSchools(t *testing.T) {
	run := schoolsRun(t, t.TempDir())
	page := report(t, run)
	if missing := inOrder(page, "class=\"verdict", "The model against its data, ",
		"<h2 id=\"s1\">Summary", ">Intervals</h2>",
		">Posterior predictive checks</h2>", "Densities of y", ">Leave-one-out cross-validation</h2>",
		"Pareto k", ">LOO-PIT</h2>", "Distribution of LOO-PIT of y",
		">Pairs</h2>", ">Energy</h2>", "The least E-BFMI is", ">Draws</h2>", "Trace of mu",
		"Histogram of mu", "Ranks of mu", "Autocorrelation of mu", "Effective size of mu",
		">Prior and posterior</h2>", "Prior and posterior of tau",
		">Run</h2>", ">Settings</h2>", ">Model</h2>", "y ~ normal(theta, sigma)",
		"uPlot"); missing != "" {
		t.Errorf("%q is not in its place", missing)
	}
	if report(t, run, "--threads", "3") != page {
		t.Error("the same run has another page")
	}
	if checked := report(t, run, "--no-checks"); strings.Contains(checked, "Pareto") ||
		!strings.Contains(checked, "Trace of mu") {
		t.Error("--no-checks leaves checks in, or leaves pictures out")
	}
	asked := report(t, run, "--pairs", "mu,tau", "--pairs", "eta[1],theta[0]")
	if inOrder(asked, "that --pairs names", "log tau against mu",
		"theta[0] against eta[1]") != "" {
		t.Error("the pairs are not those of --pairs")
	}
	for _, c := range []struct{ pairs, says string }{
		{"mu", "two numbers are expected"}, {"a,b,c", "two numbers are expected"},
		{",b", "two numbers are expected"}, {"mu,tua", "did you mean tau?"},
	} {
		status, _, err := inProcess(t, "", "report", run, "--pairs", c.pairs, "--out", run+"2.html")
		if status != 2 || !strings.Contains(err, c.says) {
			t.Errorf("--pairs %s: status %d, %s", c.pairs, status, err)
		}
		if _, err := os.Stat(run + "2.html"); err == nil {
			t.Errorf("--pairs %s left a page", c.pairs)
		}
	}
}

// TestReportOfMovedData: the estimates of the page are those of `sgppl loo`; where the data are
// gone the page says what to give, and with that it is the same.
func TestReportOfMovedData(t *testing.T) {
	dir := t.TempDir()
	run := schoolsRun(t, dir)
	page := report(t, run)
	var loo struct {
		ELPD float64 `json:"elpd_loo"`
		P    float64 `json:"p_loo"`
	}
	status, out, err := inProcess(t, "", "loo", run, "--json")
	if wrong := json.Unmarshal([]byte(out), &loo); status != 0 || wrong != nil {
		t.Fatal(err, wrong)
	}
	for _, want := range []string{fmt.Sprintf(">%.2f</td>", loo.ELPD),
		fmt.Sprintf(">%.2f</td>", loo.P)} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s of sgppl loo", want)
		}
	}
	moved := filepath.Join(dir, "moved.json")
	if err := os.Rename(filepath.Join(dir, "eight_schools.json"), moved); err != nil {
		t.Fatal(err)
	}
	without := report(t, run)
	if !strings.Contains(without, "could not be read") || !strings.Contains(without, "--data SPEC") ||
		!strings.Contains(without, "Trace of mu") {
		t.Error("the page does not say that the data are gone, or has lost the rest")
	}
	if report(t, run, "--data", moved) != page {
		t.Error("the same data at another place have another page")
	}
	write(t, moved, `{"J": 8, "y": [1,2,3,4,5,6,7,8], "sigma": [1,1,1,1,1,1,1,1]}`)
	if page := report(t, run, "--data", moved); !strings.Contains(page, "the data changed") {
		t.Error("other data are taken for those of the run")
	}
}
