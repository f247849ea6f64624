package papers

import (
	"fmt"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// The step sizes of figure 1 of Li et al. (2016), and the KL divergences that the authors' own
// figure has there, Euler's scheme and the splitting.
var (
	wellSteps = []string{"0.001", "0.01", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3"}
	wellEuler = []float64{4.715, 1.528, 0.268, 0.249, 0.386, 0.601, 72.98, 3156.7}
	wellSplit = []float64{3.797, 1.100, 0.233, 0.170, 0.410, 0.466, 0.869, 1.397}
)

// wellTable has the KL divergence and the mean thermostat by step size.
func wellTable(read Reader) (string, error) {
	r, err := read("doublewell")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for i, h := range wellSteps {
		row := []string{h}
		for _, s := range []struct {
			scheme string
			theirs float64
		}{{"split", wellSplit[i]}, {"euler", wellEuler[i]}} {
			x := r.Where("scheme", s.scheme, "h", h)
			if n := len(x.Where("kl", "diverged").Rows); n > 0 {
				row = append(row, fmt.Sprintf("%d of %d diverged", n, len(x.Rows)), "–")
			} else {
				kl, xi := x.Numbers("kl"), x.Numbers("xi")
				row = append(row, spread(kl, 3), spread(xi, 3))
			}
			row = append(row, fmt.Sprint(s.theirs))
		}
		rows = append(rows, row)
	}
	return recorded.Markdown([]string{"h", "S: KL", "mean ξ", "the paper's KL", "E: KL", "mean ξ",
		"the paper's KL"}, rows), nil
}

// wellFigure is figure 1: the KL divergence of every chain.
func wellFigure(read Reader) (*Figure, error) {
	r, err := read("doublewell")
	if err != nil {
		return nil, err
	}
	p := Panel{Title: "KL divergence from the exact density", X: Axis{Name: "step size h", Log: true},
		Y: Axis{Name: "KL", Log: true, Lo: 0.1, Hi: 5000}}
	for i, s := range []struct {
		scheme, name string
		theirs       []float64
	}{{"split", "splitting", wellSplit}, {"euler", "Euler", wellEuler}} {
		x := r.Where("scheme", s.scheme)
		means := make([]float64, len(wellSteps))
		at := make([]float64, len(wellSteps))
		for k, h := range wellSteps {
			one := x.Where("h", h)
			means[k], at[k] = Mean(one.Numbers("kl")), one.Numbers("h")[0]
		}
		p.Series = append(p.Series,
			Series{Name: s.name + ", mean of 10 seeds", Colour: i, X: at, Y: means},
			Series{Name: s.name + ", each seed", Mark: Dots, Colour: i, X: x.Numbers("h"),
				Y: x.Numbers("kl")},
			Series{Name: s.name + ", the paper's", Mark: Rings, Colour: i, X: at, Y: s.theirs})
	}
	return &Figure{Title: "Double well: KL divergence by step size", Columns: 2, Panels: []Panel{p,
		wellThermostats(r)}}, nil
}

// wellThermostats is the mean thermostat by step size, whose theoretical value is 1.
func wellThermostats(r *Results) Panel {
	p := Panel{Title: "mean thermostat", X: Axis{Name: "step size h", Log: true},
		Y: Axis{Name: "ξ", Lo: 0.98, Hi: 1.16}}
	for i, scheme := range []string{"split", "euler"} {
		x := r.Where("scheme", scheme)
		p.Series = append(p.Series, Series{Mark: Dots, Colour: i, X: x.Numbers("h"),
			Y: x.Numbers("xi")})
	}
	p.Series = append(p.Series, Series{Name: "theory", Mark: Level, Colour: 5, Y: []float64{1}})
	return p
}

// wellSamplesFigure is figure 2: histograms of 10⁵ steps and thermostats averaged so far.
func wellSamplesFigure(read Reader) (*Figure, error) {
	r, err := read("doublewell_samples")
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "Double well: samples and thermostats", Columns: 2}
	for _, what := range []string{"density", "xi"} {
		for _, h := range []string{"0.001", "0.2"} {
			p := Panel{Title: "10⁵ steps of h = " + h, X: Axis{Name: "θ"}, Y: Axis{Name: "density",
				Lo: 0, Hi: 0.8}}
			if what == "xi" {
				p.X, p.Y = Axis{Name: "step"}, Axis{Name: "ξ, mean so far", Lo: 0.7, Hi: 1.5}
			}
			for i, s := range [][2]string{{"split", "splitting, each seed"}, {"euler",
				"Euler, each seed"}} {
				for _, seed := range r.Values("seed") {
					x := r.Where("scheme", s[0], "h", h, "what", what, "seed", seed)
					p.Series = append(p.Series, Series{Name: s[1], Colour: i, Thin: true,
						X: x.Numbers("at"), Y: x.Numbers("value")})
				}
			}
			if what == "xi" {
				p.Series = append(p.Series, Series{Name: "theory", Mark: Level, Colour: 5,
					Y: []float64{1}})
			} else {
				p.Series = append(p.Series, wellDensity())
			}
			f.Panels = append(f.Panels, p)
		}
	}
	return f, nil
}

// wellSantaFigure is figure 1 of Chen et al. (2016): θ along the steps.
func wellSantaFigure(read Reader) (*Figure, error) {
	r, err := read("doublewell_santa")
	if err != nil {
		return nil, err
	}
	p := Panel{Title: "θ from θ = 4", X: Axis{Name: "step", Log: true, Lo: 1, Hi: 10000},
		Y: Axis{Name: "θ", Lo: -5, Hi: 5}}
	for i, s := range [][2]string{{"santa", "Santa, each seed"}, {"rmsprop",
		"RMSprop, each seed"}} {
		for _, seed := range r.Values("seed") {
			x := r.Where("algorithm", s[0], "seed", seed)
			p.Series = append(p.Series, Series{Name: s[1], Colour: i, X: x.Numbers("step"),
				Y: x.Numbers("theta")})
		}
	}
	p.Series = append(p.Series,
		Series{Name: "the modes", Mark: Level, Colour: 5, Y: []float64{-2.935363}},
		Series{Name: "the modes", Mark: Level, Colour: 5, Y: []float64{2.223664}})
	u := Panel{Title: "potential", X: Axis{Name: "θ"}, Y: Axis{Name: "U", Lo: -4, Hi: 8},
		Series: []Series{wellPotential()}}
	return &Figure{Title: "Double well: Santa and RMSprop", Columns: 2, Panels: []Panel{u, p}}, nil
}

// spread is the mean of numbers and their standard deviation.
func spread(x []float64, digits int) string {
	if len(x) < 2 {
		return fmt.Sprintf("%.*f", digits, Mean(x))
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, Mean(x), digits, SD(x))
}
