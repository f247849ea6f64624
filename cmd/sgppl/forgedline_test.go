package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestForgedLines: a name that holds a line end writes no line of its own, and one
// that is very long does not fill the screen.
func TestForgedLines(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ normal(m, 1)\n")
	write(t, "key.json", `{"x": [1, 2], "a\nsgppl: error: forged": 1, "`+
		strings.Repeat("k", 100000)+`": 1}`)
	write(t, "head.csv", "x,\"a\nsgppl: error: forged\"\n1,2\n")
	for _, args := range [][]string{
		{"sample", "m.sg", "--data", "key.json", "--engine", "vm", "--warmup", "5", "--draws", "5",
			"--out", "a", "--progress", "none"},
		{"sample", "m.sg", "--data", "head.csv", "--engine", "vm", "--warmup", "5", "--draws", "5",
			"--out", "b", "--progress", "none"},
		{"summary", "no\nsgppl: error: forged"}, {"verify", "no\nsgppl: error: forged"},
		{"sample", "--resume", "no\nsgppl: error: forged"},
	} {
		_, _, stderr := inProcess(t, "", args...)
		if strings.Contains(stderr, "\nsgppl: error: forged") {
			t.Errorf("%q writes a line of its own: %s", args, stderr)
		}
		if !strings.Contains(stderr, "forged") || len(stderr) > 5000 {
			t.Errorf("%q: %d bytes: %.2000s", args, len(stderr), stderr)
		}
	}
}

// forged is a name with a line end, behind which is a line that sgppl could write.
const forged = "n\nsgppl: error: forged"

// TestForgedNames gives such a name to everything that has one: files, runs, settings,
// globs, codes.
func TestForgedNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ normal(m, 1)\n"
	run := forged + " run"
	if err := os.WriteFile(forged+".sg", []byte(text), 0o666); err != nil {
		t.Skip(err)
	}
	write(t, "m.sg", text)
	write(t, "x.json", `{"x": [1, 2]}`)
	write(t, forged+".json", `{"x": "no"}`)
	write(t, forged+".toml", "no = [")
	model := forged + ".sg"
	short := []string{"--engine", "vm", "--warmup", "5", "--draws", "40", "--progress", "none"}
	sample := func(args ...string) []string {
		return append(append([]string{"sample"}, short...), args...)
	}
	for i, args := range [][]string{
		// the runs of all that follows
		sample(model, "--data", "x.json", "--out", run, "--log-lik"),
		sample(model, "--data", "x.json", "--out", run),
		sample("--resume", run),
		sample("--resume", run, model),
		{"optimize", model, "--data", "x.json", "--engine", "vm", "--steps", "20", "--out",
			run + "2"},
		{"check", model}, {"check", "--no-lint", forged, model}, {"check", forged}, {"fmt", forged},
		{"fmt", "-d", model},
		{"compile", model, "-o", forged + " go"}, {"compile", model, "--package", forged},
		{"compile", model, "-o", "x.json/" + forged}, {"compile", model, "--dump", forged},
		{"test", model, "--replications", "1", "--engine", "vm"},
		{"test", "m.sg", "--init", forged}, {"test", "m.sg", "--out", run},
		sample("m.sg", "--data", forged), sample("m.sg", "--data", "x="+forged),
		sample("m.sg", "--data", "x=x.json:"+forged), sample("m.sg", "--data", forged+".json"),
		sample("m.sg", "--data", "x.json", "--init", forged),
		sample("m.sg", "--data", "x.json", "--init", forged+".json"),
		sample("m.sg", "--data", "x.json", "--init", "kmeans:"+forged),
		sample("m.sg", "--data", "x.json", "--init", "kmeans:m="+forged),
		sample("m.sg", "--data", "x.json", "--keep", forged),
		sample("m.sg", "--data", "x.json", "--set", forged+"=2"),
		sample("m.sg", "--data", "x.json", "--set", "N="+forged),
		sample("m.sg", "--data", "x.json", "--set", forged),
		sample("m.sg", "--data", "x.json", "--step", "m="+forged),
		sample("m.sg", "--data", "x.json", "--step", forged+"=1"),
		sample("m.sg", "--data", "x.json", "--grad-noise", forged),
		sample("m.sg", "--data", "x.json", "--batch", forged),
		sample("m.sg", "--data", "x.json", "--batch", forged+"=1"),
		sample("m.sg", "--data", "x.json", "--sampler", forged),
		sample("m.sg", "--data", "x.json", "--metric", forged),
		sample("m.sg", "--data", "x.json", "--held-out", forged),
		sample("m.sg", "--data", "x.json", "--config", forged),
		sample("m.sg", "--data", "x.json", "--config", forged+".toml"),
		sample("m.sg", "--data", "x.json", "--out", "x.json/"+forged),
		sample("m.sg", "--data", "x.json", "--max-memory", forged),
		sample("m.sg", "--data", "x.json", "--"+forged),
		{"summary", run}, {"summary", run, "--vars", forged}, {"summary", run, "--names", forged},
		{"summary", run, "--names", forged + "=x.json"}, {"summary", run, "--names", "N=" + forged},
		{"summary", run + "2"}, {"summary", run + "2", "--vars", forged},
		{"summary", run + "2", "--point", forged},
		{"score", run, "--data", "x.json"}, {"score", run, "--data", forged},
		{"score", run, "--observed", forged},
		{"score", run + "2", "--point", forged, "--data", "x.json"},
		{"predict", run, "--data", "x.json", "--out", forged + "p.json"},
		{"predict", run, "--data", "x.json", "--out", forged},
		{"predict", run, "--data", "x.json", "--out", forged + "/q.json"},
		{"predict", run, "--latent", "--out", "l.json"},
		{"simulate", model, "--set", "N=3", "--out", forged + "s.json"},
		{"simulate", model, "--set", "N=3", "--out", forged + "s.json"},
		{"simulate", model, "--set", "N=3", "--params", forged, "--out", "t.json"},
		{"simulate", model, "--set", forged, "--out", "t.json"},
		{"loo", run}, {"loo", run, run}, {"loo", run, "--pointwise", forged},
		{"loo", run, "--pointwise", forged + "/x.csv"}, {"loo", run + "2"},
		{"report", run, "--out", forged + ".html"}, {"report", run, "--out", forged + ".html"},
		{"report", run, "--out", "x.json/" + forged + ".html"}, {"report", run + "2"},
		{"export", run, "--to", "csv", "--out", forged + ".csv"},
		{"export", run, "--to", forged, "--out", "q"},
		{"export", run, "--to", "csv", "--out", forged + ".csv"},
		{"export", run, "--to", "zarr", "--out", "x.json/" + forged},
		{"verify", run}, {"verify", forged}, {"verify", run, "--no-data"},
		{"doc", forged}, {"explain", forged}, {forged},
	} {
		status, stdout, stderr := inProcess(t, "", args...)
		if i == 0 && status != 0 {
			t.Fatal(stderr)
		}
		for _, out := range []string{stdout, stderr} {
			if forgedLine.MatchString(out) {
				t.Errorf("%q writes a line of its own: %.2000s", args, out)
			}
		}
	}
	// A run whose files say what a damaged or hostile one may say.
	for _, change := range [][2]string{{`"status": "done"`, `"status": "n\nsgppl: error: forged"`},
		{`"model": "[^"]*"`, `"model": "n\nsgppl: error: forged"`},
		{`"path": "[^"]*"`, `"path": "n\nsgppl: error: forged"`},
		{`"error": "[^"]*"`, `"error": "n\nsgppl: error: forged"`}} {
		text, err := os.ReadFile(run + "/run.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := edit(run, change[0], change[1]); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"summary", run}, {"verify", run},
			{"score", run, "--data", "x.json"}, {"loo", run}, sample("--resume", run),
			{"predict", run, "--out", "r.json"}, {"export", run, "--to", "csv", "--out", "r.csv"}} {
			if _, stdout, stderr := inProcess(t, "",
				args...); forgedLine.MatchString(stdout + "\n" + stderr) {
				t.Errorf("%s: %q writes a line of its own: %.2000s%.2000s", change[1], args, stdout, stderr)
			}
		}
		write(t, run+"/run.json", string(text))
	}
}

var forgedLine = regexp.MustCompile(`(?m)^sgppl: error: forged`)

// TestMessagesEscape: messages are made by printable.Sprintf, so that every name in
// them is escaped: by Failf, Usagef, Refused and Note, and by no other function.
func TestMessagesEscape(t *testing.T) {
	sessions := filepath.Join("..", "..", "internal", "session")
	made := regexp.MustCompile(`ExitError\{[^}]*message: [^"]`)
	written := regexp.MustCompile(`fmt\.Fprintf\(e\.Std(out|err), .*%[svq]`)
	makers := []string{"line.go", filepath.Join(sessions, "errors.go"),
		filepath.Join(sessions, "session.go")}
	seen := 0
	for _, dir := range []string{".", sessions, filepath.Join("..", "..", "internal", "show")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || slices.Contains(makers, name) {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			for i, line := range strings.Split(string(text), "\n") {
				if made.MatchString(line) ||
					written.MatchString(line) && !strings.Contains(line, "printable.Line") {
					t.Errorf("%s:%d: neither Failf nor printable makes this message: %s", name, i+1, line)
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d files", seen)
	}
}
