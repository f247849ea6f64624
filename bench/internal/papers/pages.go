package papers

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// A table of a page stands between two comments, "<!-- NAME -->" and "<!-- end of NAME -->".
// It is made from results, which it reads by their names.
type table struct {
	page, name string
	make       func(read Reader) (string, error)
}

// A Reader reads results by their name.
type Reader func(name string) (*Results, error)

// tables are all tables of pages that are made here.
var tables = []table{
	{"papers.md", "papers", func(Reader) (string, error) { return overview(), nil }},
	{"doublewell.md", "steps", wellTable},
	{"a9a.md", "best", a9aBest},
	{"a9a.md", "grid", a9aTable},
	{"a9a.md", "langevin", a9aLangevin},
	{"networks.md", "steps", stepsTable},
	{"networks.md", "sigmoids", sigmoidsTable},
	{"networks.md", "convolutions", convolutionsTable},
	{"networks.md", "points", mnistTable},
	{"music.md", "music", musicTable},
	{"sam.md", "sam", samTable},
	{"sam.md", "wikipedia", samWikipediaTable},
	{"spheres.md", "circle", circleTable},
	{"spheres.md", "mixture", mixtureTable},
	{"spheres.md", "mises", misesTable},
}

// figures are all figures, by the names of their files.
var figures = []struct {
	name string
	make func(read Reader) (*Figure, error)
}{
	{"doublewell-steps", wellFigure},
	{"doublewell-samples", wellSamplesFigure},
	{"doublewell-santa", wellSantaFigure},
	{"a9a", a9aFigure},
	{"steps", stepsFigure},
	{"sigmoids", sigmoidsFigure},
	{"convolutions", convolutionsFigure},
	{"mnist", mnistFigure},
	{"piano", pianoFigure},
	{"sam", samFigure},
	{"sam-wikipedia", samWikipediaFigure},
	{"circle", circleFigure},
	{"mixture", mixtureFigure},
}

// Files are the pages below a directory as they should be, with the tables of its results, and
// the figures, by their path there.
func Files(dir string) (map[string][]byte, error) {
	read := func(name string) (*Results, error) {
		return ReadResults(filepath.Join(dir, "papers", "results", name+".csv"))
	}
	out := map[string][]byte{}
	for _, t := range tables {
		text, ok := out[t.page]
		if !ok {
			var err error
			if text, err = os.ReadFile(filepath.Join(dir, t.page)); err != nil {
				return nil, err
			}
		}
		made, err := t.make(read)
		if err != nil {
			return nil, err
		}
		begins, ends := "<!-- "+t.name+" -->\n", "<!-- end of "+t.name+" -->\n"
		before, rest, found := bytes.Cut(text, []byte(begins))
		_, after, closed := bytes.Cut(rest, []byte(ends))
		if !found || !closed {
			return nil, fmt.Errorf("%s has no lines %q and %q", t.page, begins, ends)
		}
		out[t.page] = slices.Concat(before, []byte(begins+"\n"+made+"\n"+ends), after)
	}
	for _, f := range figures {
		made, err := f.make(read)
		if err != nil {
			return nil, err
		}
		out["figures/"+f.name+".svg"] = made.SVG()
	}
	return out, nil
}

// Write writes the tables of the pages in a directory, and the figures, from the results.
func Write(dir string) error {
	files, err := Files(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// overview has a table for each paper.
func overview() string {
	var b strings.Builder
	for i, p := range Papers {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", p.Name, recorded.Wrapped(p.Cite, 100))
		var rows [][]string
		for _, r := range p.Rows {
			rows = append(rows, []string{r.Item, r.What, dash(r.Theirs), dash(r.Ours), r.how()})
		}
		head := []string{"", "what", "the paper's", "ours", "command, or why not"}
		b.WriteString(recorded.Markdown(head, rows))
	}
	return b.String()
}

// how is the command of a row with its page, and what is said of it.
func (r *Row) how() string {
	var parts []string
	if r.Command != "" {
		parts = append(parts, fmt.Sprintf("`%s` ([%s](%s))", r.Command, r.page(), r.Page))
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	return strings.Join(parts, "; ")
}

// page is the name of the row's page without the anchor.
func (r *Row) page() string {
	name, _, _ := strings.Cut(r.Page, "#")
	return name
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
