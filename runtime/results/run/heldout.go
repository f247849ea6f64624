package run

import (
	"path/filepath"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// HeldOut describes the held-out rows whose predictive density a run averages while it samples.
type HeldOut struct {
	Inputs []string             `json:"inputs"` // --held-out, with absolute paths
	Data   []format.Fingerprint `json:"data"`
	// of so many draws of a chain the last is evaluated
	Every int64  `json:"every"`
	Score *Score `json:"score,omitempty"` // over all chains, once the run ended
}

// Series is the JSON of held_out.json: how the predictive came about, chain by
// chain, as of each chain's last checkpoint.
type Series struct {
	Rows   int           `json:"rows"`
	Every  int64         `json:"every"`
	Chains []ChainSeries `json:"chains"`
	Score  *Score        `json:"score,omitempty"` // over all chains, once the run ended
	Digest string        `json:"digest"`          // of this file; the last field
}

// A ChainSeries has one number for each draw that was evaluated: of the average
// over the chain's draws up to it, and of that draw alone.
type ChainSeries struct {
	Draws        []int64 `json:"draw"` // counted from 0
	LPDMean      []Float `json:"lpd_mean"`
	Accuracy     []Float `json:"accuracy,omitempty"`
	RMSE         []Float `json:"rmse,omitempty"`
	DrawLPDMean  []Float `json:"draw_lpd_mean"`
	DrawAccuracy []Float `json:"draw_accuracy,omitempty"`
	DrawRMSE     []Float `json:"draw_rmse,omitempty"`
	Skipped      int64   `json:"skipped,omitempty"` // draws that could not be evaluated
}

const heldOutName = "held_out.json"

// HeldOutSeries is the path of the series of a run.
func HeldOutSeries(dir string) string { return filepath.Join(dir, heldOutName) }

// A HeldOutEvent is how good a chain's average is so far.
type HeldOutEvent struct {
	Draws    int64  `json:"draws"`
	LPDMean  Float  `json:"lpd_mean"`
	Accuracy *Float `json:"accuracy,omitempty"`
	RMSE     *Float `json:"rmse,omitempty"`
}

// heldRows is the model of the rows held out of a target; nil where there are none. A target that
// is a model and more says which model by Of.
func heldRows(t target.Target) *model.Model {
	if o, is := t.(interface{ Of() *model.Model }); is {
		return o.Of().HeldOut
	}
	if m, is := t.(*model.Model); is {
		return m.HeldOut
	}
	return nil
}

// heldOut are the rows held out of a run; nil without.
func heldOut(t target.Target, r *Record) (*predictive.Rows, error) {
	if r.HeldOut == nil {
		return nil, nil
	}
	if held := heldRows(t); held != nil {
		return predictive.Of(held), nil
	}
	return nil, fail(exitFiles, "the run has held-out rows, and they were not given")
}

// applies says which scores the rows have.
func applies(rows *predictive.Rows) (accuracy, rmse bool) {
	labels, numbers := 0, 0
	for i := range rows.Sites {
		if rows.Sites[i].Labels() {
			labels++
		} else {
			numbers++
		}
	}
	return labels == 1, numbers == 1
}

// heldOutEvent describes a chain; nil before its first draw.
func (s *sink) heldOutEvent(chain int) *HeldOutEvent {
	c := s.chains[chain].running
	if c == nil || len(c.Points) == 0 {
		return nil
	}
	p := &c.Points[len(c.Points)-1]
	e := &HeldOutEvent{Draws: p.Mean.Draws, LPDMean: Float(p.Mean.LPD)}
	accuracy, rmse := applies(s.rows)
	if value := Float(p.Mean.Accuracy); accuracy {
		e.Accuracy = &value
	}
	if value := Float(p.Mean.RMSE); rmse {
		e.RMSE = &value
	}
	return e
}

// writeHeldOut takes in a chain's series and writes them all.
func (s *sink) writeHeldOut(chain int) error {
	c := s.chains[chain].running
	s.lock.Lock()
	defer s.lock.Unlock()
	to := &s.series.Chains[chain]
	accuracy, rmse := applies(s.rows)
	for _, p := range c.Points[len(to.Draws):] {
		to.Draws = append(to.Draws, p.Draw)
		to.LPDMean, to.DrawLPDMean = append(to.LPDMean, Float(p.Mean.LPD)),
			append(to.DrawLPDMean, Float(p.Last.LPD))
		if accuracy {
			to.Accuracy, to.DrawAccuracy = append(to.Accuracy, Float(p.Mean.Accuracy)),
				append(to.DrawAccuracy, Float(p.Last.Accuracy))
		}
		if rmse {
			to.RMSE, to.DrawRMSE = append(to.RMSE, Float(p.Mean.RMSE)),
				append(to.DrawRMSE, Float(p.Last.RMSE))
		}
	}
	to.Skipped = c.Skipped
	return s.saveSeries()
}

func (s *sink) saveSeries() error {
	s.series.Digest = noDigest
	b, err := seal(s.series, "")
	if err != nil {
		return fail(exitFiles, "%s: %v", heldOutName, err)
	}
	return disk(files.WriteFile(s.on, HeldOutSeries(s.dir), b))
}

// scoreHeldOut scores the average over the draws of all chains, which have
// stopped.
func (s *sink) scoreHeldOut() error {
	if s.rows == nil {
		return nil
	}
	all := s.rows.Average()
	for _, c := range s.chains {
		all.Merge(c.running.Average())
	}
	s.series.Score, s.record.HeldOut.Score = nil, nil
	if all.Draws() > 0 {
		s.series.Score = ScoreOf(all.Score(nil), s.rows)
		s.record.HeldOut.Score = s.series.Score
	}
	return s.saveSeries()
}
