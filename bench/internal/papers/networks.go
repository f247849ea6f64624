package papers

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// chainsTable has the test accuracies of mSGNHT by scheme and by a setting, at the end of the runs:
// by the average over the draws, and by the last draw alone.
func chainsTable(
	r *Results, by string, draws int, named func(value string) string,
) string {
	var rows [][]string
	for _, value := range r.Values(by) {
		for _, s := range [][2]string{{"split", "S"}, {"euler", "E"}} {
			x := r.Where("scheme", s[0], by, value)
			var average, alone, early []string
			for _, seed := range x.Values("seed") {
				one := x.Where("seed", seed)
				if len(one.Where("accuracy", "diverged").Rows) > 0 {
					average = append(average, "diverged")
					continue
				}
				a, l := one.Numbers("accuracy"), one.Numbers("alone")
				average = append(average, fmt.Sprintf("%.2f", 100*a[len(a)-1]))
				alone = append(alone, fmt.Sprintf("%.2f", 100*l[len(l)-1]))
				early = append(early, fmt.Sprintf("%.2f", 100*l[0]))
			}
			rows = append(rows, []string{named(value), s[1], strings.Join(average, ", "),
				strings.Join(alone, ", "), strings.Join(early, ", ")})
		}
	}
	return recorded.Markdown([]string{"", "", fmt.Sprintf("average of %d draws", draws),
		"last draw", "first draw"}, rows)
}

func stepsTable(read Reader) (string, error) {
	r, err := read("steps")
	if err != nil {
		return "", err
	}
	return chainsTable(r, "h", 39, func(h string) string { return "h = " + h }), nil
}

func sigmoidsTable(read Reader) (string, error) {
	r, err := read("sigmoids")
	if err != nil {
		return "", err
	}
	sortBy(r, "depth")
	return chainsTable(r, "depth", 39, func(d string) string { return d + " × 100" }), nil
}

// chainsFigure has a panel for each value of a setting: test accuracies by the average so far, S
// and E, with so many epochs a draw. ends are the paper's, where it has some, by scheme.
func chainsFigure(
	r *Results, by, title string, epochs float64, named func(string) string, low, high float64,
	ends map[string][2]float64,
) *Figure {
	f := &Figure{Title: title, Columns: 3}
	for _, value := range r.Values(by) {
		p := Panel{Title: named(value), X: Axis{Name: "epoch"}, Y: Axis{Name: "test accuracy, %",
			Lo: low, Hi: high}}
		for i, s := range [][2]string{{"split", "mSGNHT-S"}, {"euler", "mSGNHT-E"}} {
			x := r.Where("scheme", s[0], by, value)
			for _, seed := range x.Values("seed") {
				one := x.Where("seed", seed)
				line := Series{Name: s[1] + ", average so far", Colour: i, Thin: true}
				for k, a := range one.Numbers("accuracy") {
					line.X = append(line.X, epochs*(one.Numbers("draw")[k]+1))
					line.Y = append(line.Y, 100*a)
				}
				p.Series = append(p.Series, line)
			}
			if end, ok := ends[value]; ok {
				p.Series = append(p.Series, Series{Name: s[1] + ", the paper's end", Mark: Rings,
					Colour: i, X: []float64{40}, Y: []float64{end[i]}})
			}
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

func stepsFigure(read Reader) (*Figure, error) {
	r, err := read("steps")
	if err != nil {
		return nil, err
	}
	return chainsFigure(r, "h", "MNIST, 100-100 rectified units: step sizes", 1,
		func(h string) string { return "h = " + h }, 90, 98, nil), nil
}

func sigmoidsFigure(read Reader) (*Figure, error) {
	r, err := read("sigmoids")
	if err != nil {
		return nil, err
	}
	sortBy(r, "depth")
	return chainsFigure(r, "depth", "MNIST, sigmoids: depths", 1,
		func(d string) string { return d + " × 100 sigmoids" }, 93, 98.5,
		map[string][2]float64{"3": {97.36, 96.86}}), nil
}

func convolutionsTable(read Reader) (string, error) {
	r, err := read("convolutions")
	if err != nil {
		return "", err
	}
	return chainsTable(r, "h", 11, func(h string) string { return "h = " + h }), nil
}

// convolutionsFigure is figure 9 of Li et al. (2016), with a draw every quarter of an epoch.
func convolutionsFigure(read Reader) (*Figure, error) {
	r, err := read("convolutions")
	if err != nil {
		return nil, err
	}
	return chainsFigure(r, "h", "MNIST, convolutional network: step sizes", 0.25,
		func(h string) string { return "h = " + h }, 94, 99.5, nil), nil
}
