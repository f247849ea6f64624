package show

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// ReportRows is how many numbers a page shows.
const ReportRows = 2000

// A Page is a body of HTML. What is written to it is text, a paragraph a line;
// tables know it, and become tables.
type Page struct {
	Body     bytes.Buffer
	lead     bytes.Buffer // what stands above the list of sections
	headings []string
	charts   int // that were added
}

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
	p.headings = append(p.headings, text)
	fmt.Fprintf(&p.Body, "<h2 id=\"s%d\">%s</h2>\n", len(p.headings), html.EscapeString(text))
}

func (p *Page) pre(text string) {
	fmt.Fprintf(&p.Body, "<pre tabindex=\"0\">%s</pre>\n", html.EscapeString(text))
}

// table adds a table that is laid out.
func (p *Page) table(t pretty.Writer) error {
	t.Style().HTML = pretty.HTMLOptions{EscapeText: true, EmptyColumn: "", Newline: "<br/>"}
	_, err := io.WriteString(&p.Body, "<div class=\"wide\" tabindex=\"0\">"+t.RenderHTML()+"</div>\n")
	return err
}

// verdict adds the sentence with the verdict on the health of the run.
func (p *Page) verdict(text string) {
	word, _, _ := strings.Cut(text, ":")
	fmt.Fprintf(&p.lead, "<p class=\"verdict %s\" role=\"status\">%s</p>\n",
		html.EscapeString(word), html.EscapeString(text))
}

// fit adds the sentence with the verdict of the checks of the model against its data.
func (p *Page) fit(word, says string) {
	fmt.Fprintf(&p.lead, "<p class=\"verdict %s\">The model against its data, %s: %s</p>\n",
		html.EscapeString(word), html.EscapeString(word), html.EscapeString(says))
}

// A Report has the contents of a page about a run.
type Report struct {
	Dir     string
	Record  *run.Record
	Summary *Summary
	Store   *trace.Store
	Model   string
	Pairs   [][2]string // numbers that are plotted against each other; empty: the report chooses
	// Checks compare the run with its data, and Priors with its priors.
	Checks, Priors []Section
	// Fit is the verdict of Checks, "ok" or "unsure", and FitSays its reason. Both are empty without
	// checks.
	Fit, FitSays string
}

// A Section is a part of a page: text, tables and charts.
type Section struct {
	Heading string
	Text    []string
	Tables  []*Table
	Charts  []chart.Chart
}

// Section adds one.
func (p *Page) Section(s *Section) error {
	p.heading(s.Heading)
	for _, t := range s.Text {
		fmt.Fprintln(p, t)
	}
	for _, t := range s.Tables {
		if err := t.Write(p); err != nil {
			return err
		}
	}
	if len(s.Charts) > 0 {
		p.Body.WriteString("<div class=\"charts\">\n")
		for i := range s.Charts {
			s.Charts[i].Figure(&p.Body)
		}
		p.Body.WriteString("</div>\n")
		p.charts++
	}
	return nil
}

// Run fills the page: the verdict, what the draws say, pictures of them, and then where
// they come from.
func (p *Page) Run(x *Report) error {
	r, s := x.Record, x.Summary
	if s.Verdict != "" {
		p.verdict(s.Verdict)
	}
	if x.Fit != "" {
		p.fit(x.Fit, x.FitSays)
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
	for i := range x.Checks {
		if err := p.Section(&x.Checks[i]); err != nil {
			return err
		}
	}
	list, err := pictured(s, x.Store)
	if err != nil {
		return err
	}
	dynamics, err := x.dynamics(list)
	if err != nil {
		return err
	}
	for i := range dynamics {
		if err := p.Section(&dynamics[i]); err != nil {
			return err
		}
	}
	p.numbers(list, len(s.Vars))
	for i := range x.Priors {
		if err := p.Section(&x.Priors[i]); err != nil {
			return err
		}
	}
	for _, add := range []func() error{
		func() error { return p.facts(x.Dir, r) }, func() error { return p.data(r) },
		func() error { return p.settings(r) },
	} {
		if err := add(); err != nil {
			return err
		}
	}
	p.heading("Model")
	p.pre(x.Model)
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

//go:embed page.css
var pageStyle string

// Document is the whole page. It has the script of charts where there are some.
func (p *Page) Document(title string) []byte {
	title = html.EscapeString(title)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
%s%s</style>
</head>
<body>
<h1>%s</h1>
`, title, chart.Style(), pageStyle, title)
	out.Write(p.lead.Bytes())
	if len(p.headings) > 2 {
		out.WriteString("<nav aria-label=\"Sections\"><ul>")
		for i, text := range p.headings {
			fmt.Fprintf(&out, "<li><a href=\"#s%d\">%s</a></li>", i+1, html.EscapeString(text))
		}
		out.WriteString("</ul></nav>\n")
	}
	fmt.Fprintf(&out, "<main>\n%s</main>\n", p.Body.Bytes())
	if p.charts > 0 {
		fmt.Fprintf(&out, "<script>\n%s</script>\n", chart.Script())
	}
	out.WriteString("</body>\n</html>\n")
	return out.Bytes()
}
