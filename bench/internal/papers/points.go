package papers

import (
	"fmt"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// An algorithm of a table of points: its name in results, on the page, and the paper's numbers.
type algorithm struct {
	name, title string
	theirs      []float64
}

// mnistWays are the algorithms of table 1 of Chen et al. (2016), with its errors on 400-400.
var mnistWays = []algorithm{
	{"santa-e", "Santa-E", []float64{1.41}}, {"santa-refine", "Santa-r", []float64{1.45}},
	{"sgld", "SGLD", []float64{1.64}}, {"santa", "Santa", []float64{1.21}},
	{"adam", "Adam", []float64{1.53}}, {"rmsprop", "RMSprop", []float64{1.59}},
	{"sgdm", "SGD-M", []float64{1.66}}, {"sgd", "SGD", []float64{1.72}},
}

// mnistTable has the test errors of each run in percent, and their means.
func mnistTable(read Reader) (string, error) {
	r, err := read("mnist")
	if err != nil {
		return "", err
	}
	var rows [][]string
	points := []string{"last", "average", "iterates"}
	for _, w := range mnistWays {
		x := r.Where("algorithm", w.name)
		all := map[string][]float64{}
		for _, seed := range x.Values("seed") {
			one := x.Where("seed", seed)
			row := []string{w.title, seed}
			for _, p := range points {
				at := one.Numbers(p)
				v := at[len(at)-1]
				if v != v {
					row = append(row, "–")
					continue
				}
				all[p] = append(all[p], v)
				row = append(row, fmt.Sprintf("%.2f", v))
			}
			rows = append(rows, append(row, fmt.Sprintf("%.2f", w.theirs[0])))
		}
		if len(all["last"]) < 3 {
			continue
		}
		row := []string{"mean", ""}
		for _, p := range points {
			if len(all[p]) == 0 {
				row = append(row, "–")
			} else {
				row = append(row, fmt.Sprintf("**%.2f**", Mean(all[p])))
			}
		}
		rows = append(rows, append(row, fmt.Sprintf("%.2f", w.theirs[0])))
	}
	head := []string{"test error, %", "seed", "last", "average", "iterates", "the paper's"}
	return recorded.Markdown(head, rows), nil
}

// mnistFigure is figure 2 of Chen et al. (2016), 400-400, of the runs that have a trace: test
// errors along the epochs, each of the iterate alone, with the paper's ends, and log likelihoods.
func mnistFigure(read Reader) (*Figure, error) {
	r, err := read("mnist")
	if err != nil {
		return nil, err
	}
	x := Axis{Name: "epoch", Lo: 0, Hi: 21}
	errors := Panel{Title: "784-400-400-10", X: x,
		Y: Axis{Name: "test error of the iterate, %", Lo: 1, Hi: 5}}
	densities := Panel{Title: "784-400-400-10", X: x,
		Y: Axis{Name: "test log likelihood", Lo: -0.16, Hi: -0.05}}
	for i, w := range mnistWays {
		traced := false
		for _, seed := range r.Where("algorithm", w.name).Values("seed") {
			one := r.Where("algorithm", w.name, "seed", seed)
			if len(one.Rows) < 2 {
				continue
			}
			traced = true
			line := Series{Name: w.title + ", each seed", Colour: i, Thin: true, Dashed: i > 5}
			other := line
			for k, a := range one.Numbers("accuracy") {
				line.X = append(line.X, one.Numbers("step")[k]/600)
				line.Y = append(line.Y, 100*(1-a))
			}
			other.X, other.Y = line.X, one.Numbers("lpd")
			errors.Series = append(errors.Series, line)
			densities.Series = append(densities.Series, other)
		}
		if traced {
			errors.Series = append(errors.Series, Series{Name: w.title + ", the paper's after 100",
				Mark: Rings, Colour: i, X: []float64{20.4}, Y: w.theirs[:1]})
		}
	}
	return &Figure{Title: "MNIST, 784-400-400-10: learning curves", Columns: 2,
		Panels: []Panel{errors, densities}}, nil
}

// musicSets are the collections with the paper's numbers of each algorithm.
var musicSets = []struct {
	name   string
	theirs map[string]float64
}{
	{"Nottingham", map[string]float64{"santa": 3.39, "adam": 3.70, "rmsprop": 3.48, "sgdm": 3.60,
		"sgd": 5.26}},
	{"MuseData", map[string]float64{"santa": 7.20, "adam": 7.56, "rmsprop": 7.22, "sgdm": 7.69,
		"sgd": 10.08}},
	{"JSB chorales", map[string]float64{"sgdm": 8.59, "sgd": 10.81}},
	{"Piano-midi", map[string]float64{"santa": 7.60, "adam": 8.00, "rmsprop": 7.70, "sgdm": 8.32,
		"sgd": 11.13}},
}

// musicTable has the negative log likelihoods of a test frame of each run.
func musicTable(read Reader) (string, error) {
	r, err := read("music")
	if err != nil {
		return "", err
	}
	var rows [][]string
	for _, set := range musicSets {
		x := r.Where("set", set.name)
		for _, a := range x.Values("algorithm") {
			one := x.Where("algorithm", a)
			row := []string{set.name, a}
			for _, p := range []string{"test best", "test last", "test average"} {
				var ends []float64
				for _, seed := range one.Values("seed") {
					v := one.Where("seed", seed).Numbers(p)
					ends = append(ends, v[len(v)-1])
				}
				row = append(row, list(ends, 3))
			}
			rows = append(rows, append(row, fmt.Sprintf("%.2f", set.theirs[a])))
		}
	}
	head := []string{"", "", "best epoch, seeds 1, 2, 3", "last", "averaged", "the paper's"}
	return recorded.Markdown(head, rows), nil
}

// pianoFigure is figure 3 of Chen et al. (2016): negative log likelihoods of a frame of the
// training and of the validation pieces along the epochs.
func pianoFigure(read Reader) (*Figure, error) {
	r, err := read("music")
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "Piano-midi: learning curves", Columns: 2}
	for _, column := range []string{"train", "valid"} {
		title := map[string]string{"train": "training pieces", "valid": "validation pieces"}
		p := Panel{Title: title[column],
			X: Axis{Name: "epoch", Lo: 0, Hi: 6}, Y: Axis{Name: "negative log likelihood", Lo: 7, Hi: 15}}
		for i, a := range []string{"santa", "rmsprop", "adam", "sgdm"} {
			for _, seed := range r.Where("set", "Piano-midi", "algorithm", a).Values("seed") {
				one := r.Where("set", "Piano-midi", "algorithm", a, "seed", seed)
				p.Series = append(p.Series, Series{Name: a + ", each seed", Colour: i, Thin: true,
					X: one.Numbers("epoch"), Y: one.Numbers(column)})
			}
		}
		f.Panels = append(f.Panels, p)
	}
	return f, nil
}
