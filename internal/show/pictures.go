package show

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// reportPictures is how many numbers of a page have pictures.
const reportPictures = 30

// A Figure is one number's draws: a trace of every chain, a histogram of all, and
// the ranks of the draws of every chain among all of them, which are uniform where
// chains agree (Vehtari et al. 2021, section 4.3).
type Figure struct {
	Name                string
	Mean, SD, ESS, Rhat string
	Low, High           string // the range that both axes of values have
	Draws               int
	Traces, Ranks       []string // a path a chain
	Histogram           string
	Level               int    // the height of ranks that are uniform
	Quantiles           [3]int // the places of those of 5, 50 and 95 %
}

// The places of the panels, in units of half a pixel.
const (
	panelTop, panelBottom = 12, 156
	traceLeft, traceRight = 116, 784
	histLeft, histRight   = 824, 1104
	rankLeft, rankRight   = 1144, 1424
	histBins, rankBins    = 28, 20
	traceStretches        = 60
)

// figures adds pictures of the draws of a page's numbers: of all, or of those whose
// chains agree least.
func (p *Page) figures(s *Summary, store *trace.Store) error {
	shown := slices.Clone(s.Vars)
	if len(shown) > reportPictures {
		worst := func(v SummaryVar) float64 {
			if r := float64(v.Rhat); r == r {
				return r
			}
			return 0
		}
		slices.SortStableFunc(shown,
			func(a, b SummaryVar) int { return cmp.Compare(worst(b), worst(a)) })
		shown = shown[:reportPictures]
	}
	vars := map[string]SummaryVar{}
	for _, v := range shown {
		vars[v.Name] = v
	}
	var list []Figure
	for _, v := range session.StoredDraws(store) {
		for i, name := range v.Elements() {
			x, ok := vars[name]
			if !ok {
				continue
			}
			a, err := store.ReadElements(v.Group, v.Name, i, i+1)
			if err != nil {
				return err
			}
			if a.Draws == 0 || a.Chains == 0 {
				continue
			}
			chains := make([][]float64, a.Chains)
			for k := range chains {
				chains[k] = make([]float64, a.Draws)
			}
			a.Series(0, chains)
			list = append(list, newFigure(x, chains))
		}
	}
	if len(list) == 0 {
		return nil
	}
	p.heading("Draws")
	text := "Of each number the trace of every chain, the histogram of all draws with their 5 %, " +
		"50 % and 95 % quantiles, and the ranks of each chain's draws among all of them: level " +
		"where chains agree."
	if len(s.Vars) > len(list) {
		text = fmt.Sprintf("The %d of %d numbers with the largest R-hat. ", len(list),
			len(s.Vars)) + text
	}
	fmt.Fprintln(p, text)
	writeFigures(&p.Body, list)
	return nil
}

// newFigure draws one number.
func newFigure(v SummaryVar, chains [][]float64) Figure {
	f := Figure{Name: v.Name, Mean: digits(v.Mean), SD: digits(v.SD),
		ESS: digits(v.ESSBulk) + " / " + digits(v.ESSTail), Rhat: digits(v.Rhat),
		Draws: len(chains[0])}
	if v.Label != "" {
		f.Name += " " + v.Label
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range chains {
		for _, x := range c {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	if lo > hi { // no number at all
		lo, hi = 0, 0
	}
	f.Low, f.High = strconv.FormatFloat(lo, 'g', 4, 64), strconv.FormatFloat(hi, 'g', 4, 64)
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	up := func(x float64) int { return between(x, lo, hi, panelBottom, panelTop) }
	for k, c := range chains {
		f.Traces = append(f.Traces, path(k, tracePath(c, up)))
	}
	f.Histogram = histogram(chains, lo, hi)
	right := func(x float64) int { return between(x, lo, hi, histLeft, histRight) }
	f.Quantiles = [3]int{right(float64(v.Q5)), right(float64(v.Q50)), right(float64(v.Q95))}
	lines, level := rankPaths(chains)
	for k, line := range lines {
		f.Ranks = append(f.Ranks, path(k, line))
	}
	f.Level = level
	return f
}

// along is how far x is from lo to hi, from 0 to 1; 0 for what is no number.
func along(x, lo, hi float64) float64 {
	if t := (x - lo) / (hi - lo); t > 0 {
		return min(t, 1)
	}
	return 0
}

// between maps lo … hi to a … b.
func between(x, lo, hi float64, a, b int) int {
	return a + int(math.Round(float64(along(x, lo, hi)*float64(b-a))))
}

// path is the line of a chain: of four colours and four kinds of dashes, so that sixteen
// chains differ.
func path(chain int, d string) string {
	class := fmt.Sprintf("c%d", chain%4)
	if dashes := chain / 4 % 4; dashes > 0 {
		class += fmt.Sprintf(" d%d", dashes)
	}
	return fmt.Sprintf(`<path class="%s" d="%s"/>`, class, d)
}

// A pen writes the commands of a path.
type pen struct {
	text bytes.Buffer
	down bool
}

// to goes to a point: by a line, or, after up, without.
func (p *pen) to(x, y int) {
	command := byte('L')
	if !p.down {
		command = 'M'
	}
	p.down = true
	fmt.Fprintf(&p.text, "%c%d %d", command, x, y)
}

// tracePath goes through the draws of a chain, or through the least and the
// largest of each of some stretches where they are many.
func tracePath(c []float64, up func(float64) int) string {
	var p pen
	n := len(c)
	at := func(i int) int { return traceLeft + (traceRight-traceLeft)*i/max(n-1, 1) }
	if n <= 2*traceStretches {
		for i, x := range c {
			if p.down = p.down && x == x; x == x {
				p.to(at(i), up(x))
			}
		}
		return p.text.String()
	}
	for k := range traceStretches {
		from, to := n*k/traceStretches, n*(k+1)/traceStretches
		least, most := -1, -1
		for i := from; i < to; i++ {
			if c[i] == c[i] && (least < 0 || c[i] < c[least]) {
				least = i
			}
			if c[i] == c[i] && (most < 0 || c[i] > c[most]) {
				most = i
			}
		}
		if least < 0 {
			p.down = false
			continue
		}
		p.to(at(min(least, most)), up(c[min(least, most)]))
		p.to(at(max(least, most)), up(c[max(least, most)]))
	}
	return p.text.String()
}

// histogram is the outline of one of all draws.
func histogram(chains [][]float64, lo, hi float64) string {
	var count [histBins]int
	most := 1
	for _, c := range chains {
		for _, x := range c {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			k := min(int(along(x, lo, hi)*histBins), histBins-1)
			count[k]++
			most = max(most, count[k])
		}
	}
	var p pen
	p.to(histLeft, panelBottom)
	for k, n := range count {
		y := panelBottom - (panelBottom-panelTop)*n/most
		p.to(histLeft+(histRight-histLeft)*k/histBins, y)
		p.to(histLeft+(histRight-histLeft)*(k+1)/histBins, y)
	}
	p.to(histRight, panelBottom)
	return p.text.String() + "Z"
}

// rankPaths are the histograms of the ranks of each chain's draws, and the height
// of a level one. Equal draws share the mean of their ranks.
func rankPaths(chains [][]float64) (lines []string, levelAt int) {
	var all []float64
	for _, c := range chains {
		for _, x := range c {
			if x == x {
				all = append(all, x)
			}
		}
	}
	slices.Sort(all)
	counts := make([][rankBins]int, len(chains))
	most := 1
	for k, c := range chains {
		for _, x := range c {
			if x != x {
				continue
			}
			below, _ := slices.BinarySearch(all, x)
			upTo, _ := slices.BinarySearchFunc(all, x, func(a, b float64) int {
				if a <= b {
					return -1
				}
				return 1
			})
			b := min((below+upTo)*rankBins/(2*len(all)), rankBins-1)
			counts[k][b]++
			most = max(most, counts[k][b])
		}
	}
	level := float64(len(all)) / float64(len(chains)*rankBins)
	scale := float64(panelBottom-panelTop) / max(2*level, float64(most))
	height := func(n float64) int { return panelBottom - int(math.Round(float64(n*scale))) }
	for k := range chains {
		var p pen
		for b, n := range counts[k] {
			p.to(rankLeft+(rankRight-rankLeft)*b/rankBins, height(float64(n)))
			p.to(rankLeft+(rankRight-rankLeft)*(b+1)/rankBins, height(float64(n)))
		}
		lines = append(lines, p.text.String())
	}
	return lines, height(level)
}

// writeFigures adds a list of figures. Colours are those of the page's style.
func writeFigures(w *bytes.Buffer, list []Figure) {
	for _, f := range list {
		name := html.EscapeString(f.Name)
		fmt.Fprintf(w, "<figure>\n<figcaption><b>%s</b> mean %s, sd %s, R-hat %s, ESS "+
			"%s</figcaption>\n", name, f.Mean, f.SD, f.Rhat, f.ESS)
		fmt.Fprintf(w, "<svg viewBox=\"0 0 1440 192\" role=\"img\" aria-label=\"Draws of %s\">\n", name)
		fmt.Fprintf(w, "<path class=\"axis\" d=\"M116 12V156H784M824 156H1104M1144 156H1424M1144 "+
			"%dH1424\"/>\n", f.Level)
		for _, line := range [][]label{
			{{108, 30, "end", f.High}, {108, 156, "end", f.Low}},
			{{116, 184, "", "1"}, {784, 184, "end", strconv.Itoa(f.Draws)}},
			{{824, 184, "", f.Low}, {1104, 184, "end", f.High}, {1284, 184, "middle", "ranks"}},
		} {
			for _, l := range line {
				l.write(w)
			}
			w.WriteByte('\n')
		}
		fmt.Fprintf(w, "<g>%s</g>\n", strings.Join(f.Traces, ""))
		fmt.Fprintf(w, "<path class=\"all\" d=\"%s\"/><path class=\"axis\" d=\"M%d 156v-24M%d "+
			"156v-48M%d 156v-24\"/>\n", f.Histogram, f.Quantiles[0], f.Quantiles[1], f.Quantiles[2])
		fmt.Fprintf(w, "<g>%s</g>\n</svg>\n</figure>\n", strings.Join(f.Ranks, ""))
	}
}

// A label is a text in a picture. Anchor is the place of x in it: "" at its start.
type label struct {
	x, y         int
	anchor, text string
}

func (l label) write(w *bytes.Buffer) {
	anchor := ""
	if l.anchor != "" {
		anchor = fmt.Sprintf(` text-anchor="%s"`, l.anchor)
	}
	fmt.Fprintf(w, `<text x="%d" y="%d"%s>%s</text>`, l.x, l.y, anchor, html.EscapeString(l.text))
}
