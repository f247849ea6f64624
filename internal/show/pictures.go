package show

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// reportPictures is how many numbers of a page have pictures.
const reportPictures = 30

// A Number is one number of a run with its draws by chain.
type Number struct {
	SummaryVar
	Chains [][]float64
}

// title returns the name of a number with its label.
func (n *Number) title() string {
	if n.Label != "" {
		return n.Name + " " + n.Label
	}
	return n.Name
}

// pictured reads the draws of the numbers of a page that get pictures: of all numbers, or, if there
// are too many, of those with the largest R-hat.
func pictured(s *Summary, store *trace.Store) ([]Number, error) {
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
	var list []Number
	for _, v := range session.StoredDraws(store) {
		for i, name := range v.Elements() {
			x, ok := vars[name]
			if !ok {
				continue
			}
			chains, err := ElementDraws(store, v, i)
			if err != nil {
				return nil, err
			}
			if len(chains) > 0 && len(chains[0]) > 0 {
				list = append(list, Number{x, chains})
			}
		}
	}
	return list, nil
}

// ElementDraws reads one element of an array of a store, by chain.
func ElementDraws(store *trace.Store, v trace.Variable, i int) ([][]float64, error) {
	a, err := store.ReadElements(v.Group, v.Name, i, i+1)
	if err != nil {
		return nil, err
	}
	chains := make([][]float64, a.Chains)
	for k := range chains {
		chains[k] = make([]float64, a.Draws)
	}
	if a.Draws > 0 && a.Chains > 0 {
		a.Series(0, chains)
	}
	return chains, nil
}

// numbers adds the charts of every number.
func (p *Page) numbers(list []Number, of int) {
	if len(list) == 0 {
		return
	}
	p.heading("Draws")
	text := "Of each number: the trace of every chain; the histogram of all draws, with upright " +
		"lines at their 5 %, 50 % and 95 % quantiles; the ranks of each chain's draws among all " +
		"of them, level where chains agree; the autocorrelation of every chain, within the grey " +
		"band where draws are as good as independent; and the effective sizes of the first draws, " +
		"which grow in proportion where chains mix."
	if of > len(list) {
		text = fmt.Sprintf("The %d of %d numbers with the largest R-hat. ", len(list), of) + text
	}
	fmt.Fprintln(p, text)
	parts := make([]bytes.Buffer, len(list))
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(list))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(list); i += workers {
				list[i].write(&parts[i])
			}
		})
	}
	wg.Wait()
	for i := range parts {
		p.Body.Write(parts[i].Bytes())
	}
	p.charts++
}

// write writes the charts of a number.
func (n *Number) write(w *bytes.Buffer) {
	fmt.Fprintf(w, "<section>\n<h3>%s</h3>\n<p>mean %s, sd %s, R-hat %s, ESS of bulk %s and tails "+
		"%s</p>\n<div class=\"charts\">\n", html.EscapeString(n.title()), digits(n.Mean),
		digits(n.SD), digits(n.Rhat), digits(n.ESSBulk), digits(n.ESSTail))
	quantiles := [3]float64{float64(n.Q5), float64(n.Q50), float64(n.Q95)}
	for _, c := range []chart.Chart{Trace(n.Chains), Histogram(n.Chains, quantiles),
		Ranks(n.Chains), Autocorrelation(n.Chains), Growth(n.Chains)} {
		c.Title += " of " + n.title()
		c.Figure(w)
	}
	w.WriteString("</div>\n</section>\n")
}

// along returns the position of x between lo (0) and hi (1), limited to [0, 1]; 0 if it is not a
// number.
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
