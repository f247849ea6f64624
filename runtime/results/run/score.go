package run

import (
	"math"

	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// A Score is the JSON of `score --json`, and of the rows held out of a run.
type Score struct {
	Rows     int    `json:"rows"`
	LPDMean  Float  `json:"lpd_mean"`
	Accuracy *Float `json:"accuracy,omitempty"`
	RMSE     *Float `json:"rmse,omitempty"`
	// Calibration is the expected calibration error of classes.
	Calibration *Float               `json:"calibration_error,omitempty"`
	Perplexity  *Float               `json:"perplexity,omitempty"`
	Draws       int                  `json:"draws"` // used, of all chains
	Sites       map[string]SiteScore `json:"sites,omitempty"`
	// Of rows with a ragged dim T(N), by T: the same density by its index.
	Per map[string]LengthScore `json:"per,omitempty"`
}

// A LengthScore is the log predictive density of all rows over the sum of their
// lengths along a ragged dim: of pieces of music, that of a frame.
type LengthScore struct {
	Count   int   `json:"count"` // the sum of the lengths
	LPDMean Float `json:"lpd_mean"`
}

// A SiteScore is of one observed name, where there are several.
type SiteScore struct {
	Accuracy    *Float `json:"accuracy,omitempty"`
	RMSE        *Float `json:"rmse,omitempty"`
	Calibration *Float `json:"calibration_error,omitempty"`
}

// ScoreOf converts a score of rows to the form that run.json and `sgppl score` write.
func ScoreOf(s predictive.Score, rows *predictive.Rows) *Score {
	n := rows.Model.Rows()
	out := &Score{Rows: n, Draws: int(s.Draws), LPDMean: Float(s.LPD),
		Perplexity: applying(s.Perplexity), Sites: map[string]SiteScore{}}
	labels, numbers := 0, 0
	for _, x := range s.Sites {
		value := Float(x.Value)
		switch {
		case x.Entries == 0:
		case x.Labels:
			off := applying(x.Calibration)
			out.Sites[x.Name] = SiteScore{Accuracy: &value, Calibration: off}
			labels, out.Accuracy, out.Calibration = labels+1, &value, off
		default:
			out.Sites[x.Name] = SiteScore{RMSE: &value}
			numbers, out.RMSE = numbers+1, &value
		}
	}
	if labels > 1 {
		out.Accuracy, out.Calibration = nil, nil
	}
	if numbers > 1 {
		out.RMSE = nil
	}
	if len(out.Sites) < 2 {
		out.Sites = nil
	}
	for dim, total := range rows.Model.Lengths() {
		if total > 0 {
			if out.Per == nil {
				out.Per = map[string]LengthScore{}
			}
			out.Per[dim] = LengthScore{total, Float(s.LPD * float64(n) / float64(total))}
		}
	}
	return out
}

// applying is nil for a number that does not apply.
func applying(x float64) *Float {
	if math.IsNaN(x) {
		return nil
	}
	f := Float(x)
	return &f
}
