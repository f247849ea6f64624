package main

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

type reportCmd struct {
	Dir   string   `arg:"" name:"run" help:"A run directory."`
	Out   string   `default:"report.html" placeholder:"FILE" help:"The page (default ${default}); - for standard output."`
	Force bool     `help:"Replace a file that is there."`
	Vars  []string `sep:"none" placeholder:"GLOB" help:"Only what is called so, as for summary. May be repeated."`
	Names []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, as for summary. May be repeated."`
	Words int      `default:"${words}" help:"How many of the largest entries of a topic are shown (default ${default})."`
}

func (c *reportCmd) Help() string {
	return `One page of HTML that needs nothing beside it: what ran on which data with which settings, the summary of its draws with their
diagnostics, topics, directions and scores where there are some, the health of the dynamics, pictures of the draws (traces,
histograms, and ranks by chain), of those that agree least where they are many, and the model.

  sgppl report runs/logistic-1 --out logistic.html`
}

// reportRows is how many numbers a page shows.
const reportRows = 2000

// Run writes the page.
func (c *reportCmd) Run(e *env) error {
	if c.Words < 1 {
		return usage("--words %d: at least 1", c.Words)
	}
	r, err := run.Read(c.Dir)
	if err != nil {
		return ownStatus(err)
	}
	if r.Optimize != nil {
		return usage("%s is a run of optimize, and reports are of draws; `sgppl summary` prints its points", c.Dir)
	}
	if _, err := os.Lstat(c.Out); err == nil && !c.Force && c.Out != "-" {
		return usage("%s exists; --force replaces it", c.Out)
	}
	s, err := readSummary(e, c.Dir, view{globs: c.Vars, limit: reportRows, names: c.Names, words: c.Words, lets: true})
	if err != nil {
		return err
	}
	if len(s.Vars) == 0 && len(s.Topics) == 0 && len(c.Vars) > 0 {
		return usage("--vars %s: nothing in %s is called so", strings.Join(c.Vars, " --vars "), c.Dir)
	}
	if s.empty() {
		return noDraws(c.Dir)
	}
	if r.Status != run.Done {
		e.note("the run is not complete (%s): %s", r.Status, s.chosen)
	}
	s.warn(e)
	model, err := run.ReadModel(c.Dir, r)
	if err != nil {
		return ownStatus(err)
	}
	store, err := run.OpenDraws(c.Dir, r)
	if err == nil {
		_, err = run.Choose(store, r, run.SummarisedAsDrawn(store))
	}
	if err != nil {
		return ownStatus(err)
	}
	p := &page{}
	if err := p.run(c.Dir, r, s, store, model); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	if c.Out == "-" {
		return e.print("%s", p.document(r.Model))
	}
	if err := trace.WriteFileAtomic(c.Out, p.document(r.Model)); err != nil {
		return fail(exitFiles, "%v", err)
	}
	return e.print("%s\n", printable.Line(c.Out))
}

// A page is a body of HTML. What is written to it is text, a paragraph a line;
// tables know it, and become tables.
type page struct{ body bytes.Buffer }

// Write adds text.
func (p *page) Write(b []byte) (int, error) {
	for _, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(&p.body, "<p>%s</p>\n", html.EscapeString(line))
		}
	}
	return len(b), nil
}

func (p *page) heading(text string) {
	fmt.Fprintf(&p.body, "<h2>%s</h2>\n", html.EscapeString(text))
}

func (p *page) pre(text string) {
	fmt.Fprintf(&p.body, "<pre>%s</pre>\n", html.EscapeString(text))
}

// table adds a table that is laid out.
func (p *page) table(t pretty.Writer) error {
	t.Style().HTML = pretty.HTMLOptions{EscapeText: true, EmptyColumn: "", Newline: "<br/>"}
	_, err := io.WriteString(&p.body, t.RenderHTML()+"\n")
	return err
}

// run fills the page.
func (p *page) run(dir string, r *run.Record, s *summary, store *trace.Store, model string) error {
	o := r.Outline()
	facts := table{head: []string{"run", ""}, left: map[string]bool{"": true}}
	facts.add("directory", filepath.Base(filepath.Clean(dir)))
	facts.add("status", string(r.Status))
	if r.Error != "" {
		facts.add("error", r.Error)
	}
	facts.add("what", o.String())
	facts.add("seed", fmt.Sprint(o.Seed))
	if r.Settings.Batch > 0 {
		facts.add("minibatch", fmt.Sprintf("%d rows of %s", r.Settings.Batch, r.RowDim))
	}
	for i, line := range r.Words(r.RowDim) {
		facts.add([]string{"sampler", "", ""}[min(i, 2)], line)
	}
	facts.add("engine", r.Engine)
	facts.add("precision", precisionOf(r))
	facts.add("began", r.Started)
	facts.add("seconds", fmt.Sprintf("%.4g", r.Seconds))
	facts.add("sgppl", r.Version)
	if err := facts.write(p); err != nil {
		return err
	}
	if len(r.Data) > 0 {
		p.heading("Data")
		files := table{head: []string{"file", "bytes", "SHA-256"}, left: map[string]bool{"SHA-256": true}}
		for _, f := range r.Data {
			files.add(f.Name, fmt.Sprint(f.Bytes), f.SHA256)
		}
		if err := files.write(p); err != nil {
			return err
		}
	}
	p.heading("Settings")
	settings, err := settingsTable(r.Settings)
	if err != nil {
		return err
	}
	if err := settings.write(p); err != nil {
		return err
	}
	p.heading("Summary")
	if r.Status != run.Done {
		fmt.Fprintf(p, "The run is not complete: %s.", s.chosen)
	}
	if err := s.print(p); err != nil {
		return err
	}
	if err := p.figures(s, store); err != nil {
		return err
	}
	p.heading("Model")
	p.pre(model)
	return nil
}

func precisionOf(r *run.Record) string {
	if r.Precision == "" {
		return "f64"
	}
	return r.Precision
}

// document is the whole page.
func (p *page) document(title string) []byte {
	title = html.EscapeString(title)
	return fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>%s</title>
<style>
:root { color-scheme: light dark; --line: #ccc; --soft: #f4f4f4; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b5579c; }
@media (prefers-color-scheme: dark) { :root { --line: #555; --soft: #222; --c0: #56b4e9; --c1: #f0a14a; --c2: #3fc79a; --c3: #e39bcb; } }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
figure { margin: 1.2em 0; }
svg { display: block; width: 100%%; height: auto; fill: none; stroke-width: 2; stroke-linejoin: round; }
svg text { fill: currentColor; stroke: none; font: 20px system-ui, sans-serif; opacity: 0.7; }
.axis { stroke: currentColor; opacity: 0.5; }
.all { fill: var(--c0); fill-opacity: 0.35; stroke: var(--c0); }
g path { opacity: 0.75; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15em 0.8em; border-bottom: 1px solid var(--line); }
pre { background: var(--soft); padding: 1em; overflow-x: auto; }
</style>
</head>
<body>
<h1>%s</h1>
%s</body>
</html>
`, title, title, p.body.Bytes())
}
