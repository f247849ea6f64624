package papers

import (
	"fmt"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

// The scores of the authors' program on two cores, minibatches of 50, by draws.
var samTheirs = map[string][2][]float64{
	"gSGNHT": {{2, 28, 56, 85, 172, 264}, {5102.1, 4668.5, 4287.9, 4097.5, 3831.2, 3605.4}},
	"SGGMC":  {{3, 48, 113, 148, 197, 222}, {5125.8, 4885.9, 4756.8, 4719.5, 4657.2, 4619.1}},
}

// samScores has the log-perplexities after some numbers of draws.
func samScores(r *Results, draws []string) string {
	head := []string{"", "seed"}
	for _, d := range draws {
		head = append(head, d+" draws")
	}
	var rows [][]string
	for _, s := range r.Values("sampler") {
		x := r.Where("sampler", s)
		for _, seed := range x.Values("seed") {
			row := []string{s, seed}
			for _, d := range draws {
				row = append(row, fmt.Sprintf("%.0f", Mean(x.Where("seed", seed, "draw",
					d).Numbers("score"))))
			}
			rows = append(rows, row)
		}
	}
	return recorded.Markdown(head, rows)
}

func samTable(read Reader) (string, error) {
	r, err := read("sam")
	if err != nil {
		return "", err
	}
	return samScores(r, []string{"20", "40", "80", "160", "264"}), nil
}

func samWikipediaTable(read Reader) (string, error) {
	r, err := read("sam_wikipedia")
	if err != nil {
		return "", err
	}
	return samScores(r, []string{"20", "40", "60", "80", "100", "120"}), nil
}

// samWikipediaFigure has the place of figure 5b of Liu, Zhu and Song (2016), whose corpus is larger.
func samWikipediaFigure(read Reader) (*Figure, error) {
	r, err := read("sam_wikipedia")
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "Sections of Wikipedia: log-perplexity by draws", Columns: 2}
	for i, s := range r.Values("sampler") {
		f.Panels = append(f.Panels, samPanel(r, s, i))
	}
	return f, nil
}

// samFigure is figure 5a of Liu, Zhu and Song (2016), by draws in the place of seconds.
func samFigure(read Reader) (*Figure, error) {
	r, err := read("sam")
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "20News-different: log-perplexity by draws", Columns: 2}
	for i, s := range []string{"gSGNHT", "SGGMC"} {
		p := samPanel(r, s, i)
		p.Y.Lo, p.Y.Hi = 3300, 5600
		theirs := samTheirs[s]
		p.Series = append(p.Series, Series{Name: s + ", the authors' program", Mark: Rings, Colour: i,
			X: theirs[0], Y: theirs[1]}, Series{Name: "spherical k-means", Mark: Level, Colour: 5,
			Y: []float64{4687.1}})
		f.Panels = append(f.Panels, p)
	}
	return f, nil
}

func samPanel(r *Results, name string, colour int) Panel {
	p := Panel{Title: name, X: Axis{Name: "draws averaged"}, Y: Axis{Name: "log-perplexity"}}
	x := r.Where("sampler", name)
	for _, seed := range x.Values("seed") {
		one := x.Where("seed", seed)
		p.Series = append(p.Series, Series{Name: name + ", each seed", Colour: colour,
			X: one.Numbers("draw"), Y: one.Numbers("score")})
	}
	return p
}
