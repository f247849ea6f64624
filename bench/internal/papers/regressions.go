package papers

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

var (
	a9aSamplers = [][3]string{{"msgnht", "split", "mSGNHT-S"}, {"msgnht", "euler", "mSGNHT-E"},
		{"sghmc", "split", "SGHMC-S"}, {"sghmc", "euler", "SGHMC-E"}}
	a9aTheirs = map[string]float64{"mSGNHT-S": 84.95, "mSGNHT-E": 84.72, "SGHMC-S": 84.56,
		"SGHMC-E": 84.51}
)

// a9aCell is the accuracy of the seeds in percent with the mean log density, or how many diverged.
func a9aCell(r *Results) string {
	if n := len(r.Where("accuracy", "diverged").Rows); n > 0 {
		return fmt.Sprintf("%d of %d diverged", n, len(r.Rows))
	}
	var each []string
	for _, a := range r.Numbers("accuracy") {
		each = append(each, fmt.Sprintf("%.2f", 100*a))
	}
	return fmt.Sprintf("%s (%.4f)", strings.Join(each, ", "), Mean(r.Numbers("lpd")))
}

// a9aTable has the accuracies by sampler, friction and step size.
func a9aTable(read Reader) (string, error) {
	r, err := read("a9a")
	if err != nil {
		return "", err
	}
	steps := []string{"1e-4", "3e-4", "1e-3", "3e-3", "1e-2"}
	head := []string{"", "D"}
	for _, h := range steps {
		head = append(head, "h = "+h)
	}
	var rows [][]string
	for _, s := range a9aSamplers {
		for _, d := range []string{"1", "10", "50", "100"} {
			row := []string{s[2], d}
			for _, h := range steps {
				row = append(row, a9aCell(r.Where("sampler", s[0], "scheme", s[1], "D", d, "h", h)))
			}
			rows = append(rows, row)
		}
	}
	return recorded.Markdown(head, rows), nil
}

// a9aLangevin has those of samplers without a velocity.
func a9aLangevin(read Reader) (string, error) {
	r, err := read("a9a")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for _, s := range [][2]string{{"sgld", "SGLD"}, {"psgld", "pSGLD"}} {
		x := r.Where("sampler", s[0])
		for _, h := range x.Values("h") {
			rows = append(rows, []string{s[1], h, a9aCell(x.Where("h", h))})
		}
	}
	return recorded.Markdown([]string{"", "h", "accuracy of seeds 1, 2, 3 (log density)"}, rows), nil
}

// a9aBest has for each sampler the setting with the best mean accuracy, next to the paper's.
func a9aBest(read Reader) (string, error) {
	r, err := read("a9a")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for _, s := range append(a9aSamplers, [3]string{"sgld", "euler", "SGLD"},
		[3]string{"psgld", "euler", "pSGLD"}) {
		x := r.Where("sampler", s[0], "scheme", s[1])
		var best *Results
		for _, d := range x.Values("D") {
			for _, h := range x.Where("D", d).Values("h") {
				one := x.Where("D", d, "h", h)
				if len(one.Where("accuracy", "diverged").Rows) == 0 && (best == nil ||
					Mean(one.Numbers("accuracy")) > Mean(best.Numbers("accuracy"))) {
					best = one
				}
			}
		}
		theirs := "–"
		if t := a9aTheirs[s[2]]; t > 0 {
			theirs = fmt.Sprint(t)
		}
		rows = append(rows, []string{s[2], best.Values("h")[0], dash(best.Values("D")[0]),
			a9aCell(best), fmt.Sprintf("%.2f", 100*Mean(best.Numbers("accuracy"))), theirs})
	}
	return recorded.Markdown([]string{"", "h", "D", "accuracy of seeds 1, 2, 3 (log density)", "mean",
		"the paper's"}, rows), nil
}

// a9aFigure is figure 6 of Li et al. (2016): test errors above, training log likelihoods below.
func a9aFigure(read Reader) (*Figure, error) {
	r, err := read("a9a_curves")
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "a9a: test error and training log likelihood", Columns: 4}
	for _, what := range []string{"error", "train"} {
		for _, at := range [][2]string{{"3e-4", "10"}, {"3e-4", "50"}, {"1e-3", "50"},
			{"3e-3", "50"}} {
			p := Panel{Title: fmt.Sprintf("h = %s, D = %s", at[0], at[1]), X: Axis{Name: "step"},
				Y: Axis{Name: "test error", Lo: 0.145, Hi: 0.2}}
			if what == "train" {
				p.Y = Axis{Name: "training log likelihood", Lo: -0.55, Hi: -0.31}
			}
			for i, s := range a9aSamplers {
				for _, seed := range r.Values("seed") {
					x := r.Where("sampler", s[0], "scheme", s[1], "h", at[0], "D", at[1], "seed", seed)
					if len(x.Where("error", "diverged").Rows) > 0 {
						x = x.Where("error", "none")
					}
					p.Series = append(p.Series, Series{Name: s[2], Colour: i, Thin: true,
						X: x.Numbers("step"), Y: x.Numbers(what)})
				}
				if what == "error" {
					p.Series = append(p.Series, Series{Name: s[2] + ", the paper's end", Mark: Rings,
						Colour: i, X: []float64{3000}, Y: []float64{1 - a9aTheirs[s[2]]/100}})
				}
			}
			f.Panels = append(f.Panels, p)
		}
	}
	return f, nil
}
