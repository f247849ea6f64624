package main

import (
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
	status, _, err := inProcess(t, "", append([]string{"report", run, "--out", run + ".html", "--force"},
		flags...)...)
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

// TestReportOfSchools: the page begins with the verdict and ends with the model; pairs are those
// that are asked for, and mistakes in them are answered; the same run gives the same bytes.
func TestReportOfSchools(t *testing.T) {
	run := schoolsRun(t, t.TempDir())
	page := report(t, run)
	if missing := inOrder(page, "class=\"verdict", "<h2 id=\"s1\">Summary", ">Intervals</h2>",
		">Pairs</h2>", ">Energy</h2>", "The least E-BFMI is", ">Draws</h2>", "Trace of mu",
		"Histogram of mu", "Ranks of mu", "Autocorrelation of mu", "Effective size of mu",
		">Run</h2>", ">Settings</h2>", ">Model</h2>", "y ~ normal(theta, sigma)",
		"uPlot"); missing != "" {
		t.Errorf("%q is not in its place", missing)
	}
	if report(t, run) != page {
		t.Error("the same run has another page")
	}
	if page := report(t, run, "--pairs", "mu,tau", "--pairs", "eta[1],theta[0]"); inOrder(page, "that --pairs names",
		"log tau against mu", "theta[0] against eta[1]") != "" {
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
