package papers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// circleExact are E cos, E sin and P(angle > 0) of the two modes on the circle.
var circleExact = [3]string{"0.4467", "−0.2579", "0.3385"}

// values are the numbers of something that the runs of a sampler found, in the order of the seeds.
func values(r *Results, name, what string) []float64 {
	return r.Where("sampler", name, "what", what).Numbers("value")
}

// list has numbers with so many digits behind the point, apart by commas.
func list(x []float64, digits int) string {
	var each []string
	for _, v := range x {
		each = append(each, strings.Replace(fmt.Sprintf("%.*f", digits, v), "-", "−", 1))
	}
	return strings.Join(each, ", ")
}

// samplers are the samplers of results, but for the exact law.
func samplers(r *Results) []string {
	return slices.DeleteFunc(r.Values("sampler"), func(s string) bool { return s == "exact" })
}

func circleTable(read Reader) (string, error) {
	r, err := read("circle")
	if err != nil {
		return "", err
	}
	rows := [][]string{{"exact", circleExact[0], circleExact[1], circleExact[2], "0"}}
	for _, s := range samplers(r) {
		rows = append(rows, []string{s, list(values(r, s, "cos"), 3), list(values(r, s, "sin"), 3),
			list(values(r, s, "above"), 3), list(values(r, s, "tv"), 3)})
	}
	head := []string{"seeds 1, 2, 3", "E cos", "E sin", "P(angle > 0)", "TV"}
	return recorded.Markdown(head, rows), nil
}

func mixtureTable(read Reader) (string, error) {
	r, err := read("mixture")
	if err != nil {
		return "", err
	}
	rows := [][]string{{"exact", list(values(r, "exact", "mode"), 3), "0", "0",
		list(widths(r, "exact"), 4)}}
	for _, s := range samplers(r) {
		rows = append(rows, []string{s, list(values(r, s, "mode"), 3), list(values(r, s, "tv1"), 3),
			list(values(r, s, "tv2"), 3), list(widths(r, s), 4)})
	}
	return recorded.Markdown([]string{"seeds 1, 2, 3", "P(angle of v₂ > 0)", "TV of v₁", "TV of v₂",
		"sd of v₁'s angle"}, rows), nil
}

// widths are the standard deviations of the histograms of v₁, by seed.
func widths(r *Results, name string) []float64 {
	var out []float64
	x := r.Where("sampler", name, "what", "v1")
	for _, seed := range x.Values("seed") {
		one := x.Where("seed", seed)
		at, p := one.Numbers("at"), one.Numbers("value")
		var n, mean, square float64
		for i := range at {
			n += p[i]
			mean += float64(p[i] * at[i])
			square += float64(p[i] * at[i] * at[i])
		}
		mean /= n
		out = append(out, math.Sqrt(square/n-float64(mean*mean)))
	}
	return out
}

func misesTable(read Reader) (string, error) {
	r, err := read("mises")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for _, d := range r.Values("d") {
		for _, s := range r.Where("d", d).Values("sampler") {
			x := r.Where("d", d, "sampler", s)
			exact, mean, mcse := x.Numbers("exact"), x.Numbers("mean"), x.Numbers("mcse")
			var off, z []float64
			worst := 0.0
			for i := range mean {
				off = append(off, 100*(exact[i]-mean[i])/(1-exact[i]))
				z = append(z, (mean[i]-exact[i])/mcse[i])
				worst = max(worst, x.Numbers("length")[i])
			}
			rows = append(rows, []string{d, s, fmt.Sprintf("%.7g", exact[0]), list(off, 2), list(z, 1),
				list(x.Numbers("sd ratio"), 2), strings.Replace(fmt.Sprintf("%.1g", worst), "e-",
					"e−", 1)})
		}
	}
	return recorded.Markdown([]string{"d", "seeds 1, 2, 3", "exact E t", "error of E(1 − t), %",
		"the same in Monte Carlo errors of t", "sd of t over the exact one", "largest ‖μ‖ − 1"},
		rows), nil
}

// angleFigure has histograms of angles over exact densities, a panel for each of some columns of
// results and each of some samplers.
func angleFigure(r *Results, title string, whats, names []string, lo, hi float64) *Figure {
	f := &Figure{Title: title, Columns: len(names)}
	for _, what := range whats {
		exact := r.Where("sampler", "exact", "what", what)
		for _, s := range names {
			p := Panel{Title: s, X: Axis{Name: "angle of " + what, Lo: lo, Hi: hi},
				Y: Axis{Name: "density"}}
			if what == "density" {
				p.X.Name = "angle"
			}
			for _, seed := range r.Where("sampler", s).Values("seed") {
				x := r.Where("sampler", s, "what", what, "seed", seed)
				p.Series = append(p.Series, Series{Name: "draws of each seed", Thin: true,
					X: x.Numbers("at"), Y: x.Numbers("value")})
			}
			p.Series = append(p.Series, Series{Name: "exact", Colour: 1, Dashed: true,
				X: exact.Numbers("at"), Y: exact.Numbers("value")})
			f.Panels = append(f.Panels, p)
		}
	}
	return f
}

func circleFigure(read Reader) (*Figure, error) {
	r, err := read("circle")
	if err != nil {
		return nil, err
	}
	return angleFigure(r, "Circle: angles of draws", []string{"density"}, []string{
		"SGGMC, 100 steps a draw", "SGGMC, V ignored, 100 steps a draw", "gSGNHT, 100 steps a draw",
		"GMC"}, -math.Pi, math.Pi), nil
}

func mixtureFigure(read Reader) (*Figure, error) {
	r, err := read("mixture")
	if err != nil {
		return nil, err
	}
	return angleFigure(r, "Mixture of von Mises–Fisher laws: angles of v₁ and v₂",
		[]string{"v1", "v2"}, []string{"SGGMC, Fisher", "SGGMC, Fisher, D = 25",
			"SGGMC, V ignored, D = 25", "GMC"}, -0.7, 0.7), nil
}
