package show

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

func PrintScore(e *session.Session, s *run.Score) error {
	return scoreTable(s, "score").Write(e.Stdout)
}

// scoreTable lists what applies of a score.
func scoreTable(s *run.Score, head string) *Table {
	t := &Table{Head: []string{head, "value"}}
	t.Add("rows", fmt.Sprint(s.Rows))
	t.Add("draws", fmt.Sprint(s.Draws))
	t.Add("lpd_mean", Format("%.6g", s.LPDMean))
	for _, dim := range slices.Sorted(maps.Keys(s.Per)) {
		t.Add("lpd_mean per "+dim, Format("%.6g", s.Per[dim].LPDMean))
	}
	for _, x := range []struct {
		name  string
		value *run.Float
	}{{"accuracy", s.Accuracy}, {"calibration_error", s.Calibration}, {"rmse", s.RMSE},
		{"perplexity", s.Perplexity}} {
		if x.value != nil {
			t.Add(x.name, Format("%.6g", *x.value))
		}
	}
	var names []string
	for name := range s.Sites {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v := s.Sites[name].Accuracy; v != nil {
			t.Add(name+" accuracy", Format("%.6g", *v))
		}
		if v := s.Sites[name].Calibration; v != nil {
			t.Add(name+" calibration_error", Format("%.6g", *v))
		}
		if v := s.Sites[name].RMSE; v != nil {
			t.Add(name+" rmse", Format("%.6g", *v))
		}
	}
	return t
}
