package show

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// ReportRows is how many numbers a page shows.
const ReportRows = 2000

// A Page is a body of HTML. What is written to it is text, a paragraph a line;
// tables know it, and become tables.
type Page struct{ Body bytes.Buffer }

// Write adds text.
func (p *Page) Write(b []byte) (int, error) {
	for _, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(&p.Body, "<p>%s</p>\n", html.EscapeString(line))
		}
	}
	return len(b), nil
}

func (p *Page) heading(text string) {
	fmt.Fprintf(&p.Body, "<h2>%s</h2>\n", html.EscapeString(text))
}

func (p *Page) pre(text string) {
	fmt.Fprintf(&p.Body, "<pre>%s</pre>\n", html.EscapeString(text))
}

// table adds a table that is laid out.
func (p *Page) table(t pretty.Writer) error {
	t.Style().HTML = pretty.HTMLOptions{EscapeText: true, EmptyColumn: "", Newline: "<br/>"}
	_, err := io.WriteString(&p.Body, "<div class=\"wide\">"+t.RenderHTML()+"</div>\n")
	return err
}

// verdict adds the sentence that says what the health of the run comes to.
func (p *Page) verdict(text string) {
	word, _, _ := strings.Cut(text, ":")
	fmt.Fprintf(&p.Body, "<p class=\"verdict %s\" role=\"status\">%s</p>\n",
		html.EscapeString(word), html.EscapeString(text))
}

// Run fills the page: the verdict, what the draws say, pictures of them, and then where
// they come from.
func (p *Page) Run(dir string, r *run.Record, s *Summary, store *trace.Store, model string) error {
	if s.Verdict != "" {
		p.verdict(s.Verdict)
	}
	p.heading("Summary")
	if r.Status != run.Done {
		fmt.Fprintf(p, "The run is not complete: %s.", s.Chosen)
	}
	below := *s
	below.Verdict = "" // it stands first
	if err := below.Print(p); err != nil {
		return err
	}
	p.forests(s.Vars)
	if err := p.figures(s, store); err != nil {
		return err
	}
	for _, add := range []func() error{
		func() error { return p.facts(dir, r) }, func() error { return p.data(r) },
		func() error { return p.settings(r) },
	} {
		if err := add(); err != nil {
			return err
		}
	}
	p.heading("Model")
	p.pre(model)
	return nil
}

// facts adds what ran, when and how.
func (p *Page) facts(dir string, r *run.Record) error {
	p.heading("Run")
	o := r.Outline()
	facts := Table{Head: []string{"run", ""}, Left: map[string]bool{"": true}}
	facts.Add("directory", filepath.Base(filepath.Clean(dir)))
	facts.Add("status", string(r.Status))
	if r.Error != "" {
		facts.Add("error", r.Error)
	}
	facts.Add("what", o.String())
	facts.Add("seed", fmt.Sprint(o.Seed))
	if r.Settings.Batch > 0 {
		facts.Add("minibatch", fmt.Sprintf("%d rows of %s", r.Settings.Batch, r.RowDim))
	}
	for i, line := range r.Words(r.RowDim) {
		facts.Add([]string{"sampler", "", ""}[min(i, 2)], line)
	}
	facts.Add("engine", r.Engine)
	facts.Add("precision", precisionOf(r))
	facts.Add("began", r.Started)
	facts.Add("seconds", fmt.Sprintf("%.4g", r.Seconds))
	facts.Add("sgppl", r.Version)
	return facts.Write(p)
}

// data adds the files of the data with their digests.
func (p *Page) data(r *run.Record) error {
	if len(r.Data) == 0 {
		return nil
	}
	p.heading("Data")
	files := Table{Head: []string{"file", "bytes", "SHA-256"},
		Left: map[string]bool{"SHA-256": true}}
	for _, f := range r.Data {
		files.Add(f.Name, fmt.Sprint(f.Bytes), f.SHA256)
	}
	return files.Write(p)
}

// settings adds the settings of the sampler.
func (p *Page) settings(r *run.Record) error {
	p.heading("Settings")
	settings, err := settingsTable(r.Settings)
	if err != nil {
		return err
	}
	return settings.Write(p)
}

func precisionOf(r *run.Record) string {
	if r.Precision == "" {
		return "f64"
	}
	return r.Precision
}

// Document is the whole page.
func (p *Page) Document(title string) []byte {
	title = html.EscapeString(title)
	return fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
:root { color-scheme: light dark; --line: #ccc; --soft: #f4f4f4; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b5579c; }
@media (prefers-color-scheme: dark) { :root { --line: #555; --soft: #222; --c0: #56b4e9; --c1: #f0a14a; --c2: #3fc79a; --c3: #e39bcb; } }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
figure { margin: 1.2em 0; overflow-x: auto; }
svg { display: block; width: 100%%; min-width: 34em; height: auto; fill: none; stroke-width: 2; stroke-linejoin: round; }
svg text { fill: currentColor; stroke: none; font: 20px system-ui, sans-serif; opacity: 0.7; }
.axis { stroke: currentColor; opacity: 0.5; }
.all { fill: var(--c0); fill-opacity: 0.35; stroke: var(--c0); }
g path { opacity: 0.75; }
.d1 { stroke-dasharray: 10 5; } .d2 { stroke-dasharray: 2 5; } .d3 { stroke-dasharray: 14 4 2 4; }
.dot { fill: var(--c0); }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15em 0.8em; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; }
.verdict { border-left: 5px solid var(--c1); background: var(--soft); padding: 0.6em 1em; font-size: 1.1em; }
.verdict.ok { border-color: var(--c2); }
@media print { body { max-width: none; margin: 0; } figure, tr { break-inside: avoid; } }
pre { background: var(--soft); padding: 1em; overflow-x: auto; }
</style>
</head>
<body>
<h1>%s</h1>
%s</body>
</html>
`, title, title, p.Body.Bytes())
}
