package ratios

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// A table of rows whose names match a pattern, or of all rows, stands between
// "<!-- ratios PATTERN -->" and "<!-- end of ratios -->".
var place = regexp.MustCompile(`(?s)(<!-- ratios(?: (\S+))? -->\n).*?(<!-- end of ratios -->\n)`)

// Pages returns the pages of the directory bench that have such tables, by their paths, as they
// should be.
func Pages(bench string) (map[string][]byte, error) {
	all, err := Read(filepath.Join(bench, "table", "results.json"))
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(bench, "*.md"))
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if made, err := page(text, all); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		} else if place.Match(text) {
			out[name] = made
		}
	}
	return out, nil
}

// page puts tables into a page.
func page(text []byte, all []Measurement) (_ []byte, err error) {
	made := place.ReplaceAllFunc(text, func(part []byte) []byte {
		m := place.FindSubmatch(part)
		match, failed := regexp.Compile(string(m[2]))
		if failed != nil {
			err = failed
			return part
		}
		of := slices.DeleteFunc(slices.Clone(all),
			func(x Measurement) bool { return !match.MatchString(x.Row) })
		if len(of) == 0 {
			err = fmt.Errorf("no row has a name like %q", m[2])
			return part
		}
		return slices.Concat(m[1], []byte("\n"+Table(of)+"\n"+note(of)+"\n\n"), m[3])
	})
	return made, err
}

// note says below a table how it was measured.
func note(all []Measurement) string {
	few, many := math.MaxInt, 0
	var on []string
	for _, m := range all {
		n := len(m.Sides[Sgppl])
		few, many = min(few, n), max(many, n)
		if m.CPU != "" && !slices.Contains(on, m.CPU) {
			on = append(on, m.CPU)
		}
	}
	rounds := fmt.Sprint(few)
	if many > few {
		rounds = fmt.Sprintf("%d to %d", few, many)
	}
	text := fmt.Sprintf("Rounds: %s. Measured by `go run ./bench/table` on %s.", rounds,
		strings.Join(on, " and on "))
	return recorded.Wrapped(text, 100)
}

// Table returns the table in Markdown.
func Table(all []Measurement) string {
	var b strings.Builder
	b.WriteString("| work | sgppl | C | sgppl / C | target | best peer | peer / sgppl | measured |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, m := range all {
		i := slices.IndexFunc(Rows, func(r Row) bool { return r.Name == m.Row })
		if i < 0 {
			continue
		}
		r := Rows[i]
		own := m.Sides[Sgppl]
		c, toC := "–", "–"
		if x := m.Sides[C]; x != nil {
			c, toC = r.Unit.show(recorded.Median(x)), ratio(own, x)
		}
		target := "–"
		if r.AtMost > 0 {
			target = fmt.Sprintf("≤ %g", r.AtMost)
		}
		best, toPeer := "–", "–"
		if who := bestPeer(m); who != "" {
			best = who + " " + r.Unit.show(recorded.Median(m.Sides[who]))
			toPeer = ratio(m.Sides[who], own)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s, %s |\n", r.Name,
			r.Unit.show(recorded.Median(own)), c, toC, target, best, toPeer, m.Date, m.Commit)
	}
	return b.String()
}

// bestPeer is the peer with the smallest median, or "".
func bestPeer(m Measurement) string {
	best := ""
	for who, x := range m.Sides {
		if who == Sgppl || who == C {
			continue
		}
		if best == "" || recorded.Median(x) < recorded.Median(m.Sides[best]) ||
			recorded.Median(x) == recorded.Median(m.Sides[best]) && who < best {
			best = who
		}
	}
	return best
}

// ratio is the median of the ratios of rounds, with the smallest and the largest.
func ratio(a, b []float64) string {
	var x []float64
	for i := range min(len(a), len(b)) {
		x = append(x, a[i]/b[i])
	}
	return fmt.Sprintf("%s [%s–%s]", recorded.Digits(recorded.Median(x)), recorded.Digits(slices.Min(x)),
		recorded.Digits(slices.Max(x)))
}

func (u Unit) show(x float64) string { return recorded.Digits(x*u.Scale) + " " + u.Name }
