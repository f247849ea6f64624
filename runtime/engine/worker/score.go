package worker

import (
	"context"
	"encoding/json"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// A Score is that of the rows of a piece, or of all: the log predictive density averaged
// over Rows, and of each observed name the share of right classes, or the mean square.
type Score struct {
	Rows  int64   `json:"rows"`
	Draws int64   `json:"draws"`
	LPD   float64 `json:"lpd"` // mean over rows
	Sites []Site  `json:"sites"`
}

// A Site is an observed name. Value is the accuracy of one with classes, and of one with
// numbers the mean of the squares of the errors.
type Site struct {
	Name    string  `json:"name"`
	Classes bool    `json:"classes"`
	Entries int     `json:"entries"`
	Value   float64 `json:"value"`
}

func score(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	d, err := ParseDraws(q.Shared)
	if err != nil {
		return nil, err
	}
	rows, eval := predictive.Of(m), m.Evaluator(0)
	out := make([]float64, rows.Width())
	all := rows.Average()
	for c := range d.Chains {
		chain := rows.Average()
		for i := range d.Each {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			rows.Predict(eval, d.State(c*d.Each+i), out)
			chain.Add(out)
		}
		all.Merge(chain)
	}
	found := all.Score(nil)
	s := Score{Rows: int64(m.Rows()), Draws: found.Draws, LPD: found.LPD}
	for _, x := range found.Sites {
		v := x.Value
		if !x.Labels {
			v *= v
		}
		s.Sites = append(s.Sites, Site{x.Name, x.Labels, x.Entries, v})
	}
	return json.Marshal(s)
}

// Add takes the score of another piece into that of those before it.
func (s *Score) Add(t Score) {
	if s.Rows == 0 {
		*s = t
		return
	}
	if t.Rows == 0 { // its means are of nothing
		return
	}
	n := s.Rows + t.Rows
	s.LPD = (float64(s.LPD*float64(s.Rows)) + float64(t.LPD*float64(t.Rows))) / float64(n)
	s.Rows = n
	for i := range s.Sites {
		a, b := &s.Sites[i], t.Sites[i]
		if k := a.Entries + b.Entries; k > 0 {
			a.Value = (value(*a) + value(b)) / float64(k)
			a.Entries = k
		}
	}
}

// value is the sum over entries.
func value(s Site) float64 {
	if s.Entries == 0 || math.IsNaN(s.Value) {
		return 0
	}
	return s.Value * float64(s.Entries)
}
