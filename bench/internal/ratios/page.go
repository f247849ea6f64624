package ratios

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// The table stands in README.md of bench between these lines.
const (
	begins = "<!-- ratios -->\n"
	ends   = "<!-- end of ratios -->\n"
)

// Page returns README.md of the directory bench as it should be, with the table of what is stored.
func Page(bench string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(bench, "README.md"))
	if err != nil {
		return nil, err
	}
	all, err := Read(filepath.Join(bench, "table", "results.json"))
	if err != nil {
		return nil, err
	}
	before, rest, found := bytes.Cut(text, []byte(begins))
	_, after, closed := bytes.Cut(rest, []byte(ends))
	if !found || !closed {
		return nil, fmt.Errorf("README.md has no lines %q and %q", begins, ends)
	}
	return slices.Concat(before, []byte(begins), []byte("\n"+Table(all)+"\n"), []byte(ends),
		after), nil
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
