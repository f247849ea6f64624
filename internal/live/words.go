package live

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// words says the state of a run that goes on in a sentence.
func (r *Recorder) words(v *View) string {
	switch v.State {
	case SettingUp:
		if r.phase != "" {
			return fmt.Sprintf("%s (%s)", r.phase, session.Duration(r.setup))
		}
		return "the sampler starts"
	case Stopping:
		return "asked to stop: the chains write their checkpoints"
	case Running:
	default:
		return v.Words
	}
	warm, ended, waiting := 0, 0, 0
	for _, c := range r.chains {
		switch {
		case c.last == nil:
			waiting++
		case c.last.Event == "end":
			ended++
		case c.last.Step < c.last.Warmup:
			warm++
		}
	}
	n := len(r.chains)
	switch {
	case ended == n:
		return "all chains are complete; what is left is computed"
	case warm > 0 && warm+waiting == n:
		return "the chains warm up: there are no draws yet"
	case ended > 0:
		return fmt.Sprintf("%d of %d chains are complete", ended, n)
	}
	return "the chains draw"
}

// Ended is how the run ended, for the last view.
type Ended struct {
	State     string // Done, Interrupted or Failed
	Words     string
	Resume    string // the command that goes on with it; ""
	Method    string // how it was sampled; "" leaves what was known at first
	Judgement        // of all draws; without a verdict that of the events stays
}

// End says how the run ended.
func (r *Recorder) End(e Ended) *View {
	r.judge.next = time.Time{} // whatever it costs
	v := r.View()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.head.State, r.head.Words, r.head.Resume = e.State, e.Words, e.Resume
	v.State, v.Words, v.Resume, v.Stop = e.State, e.Words, e.Resume, false
	v.Left = 0
	v.judged(e)
	return v
}

// judged has a view say what is known of all draws.
func (v *View) judged(e Ended) {
	if e.Method != "" {
		v.Method = e.Method
	}
	if from := v.From; e.Verdict != "" {
		v.Judgement = e.Judgement
		v.From = strings.Replace(from, "R-hat and effective sizes are",
			"what stands beside the traces is", 1)
	}
}

// nan is a number that is not known.
var nan = run.Float(math.NaN())

// Waiting is the view of a run that is about to begin.
func Waiting(model string) *View {
	return &View{
		Head: Head{Model: model, State: SettingUp,
			Words: "the model is compiled, its data are read, and the sampler is built"},
		Progress:  Progress{Left: nan, StepsRate: nan, RowsRate: nan, Chains: []ChainView{}},
		Judgement: Judgement{Health: []HealthRow{}},
		Charts:    []Chart{}, Notes: []string{},
	}
}

// JudgementOf is that of a run which is complete, with its verdict in a sentence.
func JudgementOf(r *run.Record, sentence string) Judgement {
	j := Judgement{Sentence: sentence, Health: []HealthRow{},
		JudgedOf: "R-hat and effective sizes are of all draws"}
	if r.Judged > 0 {
		j.JudgedOf += fmt.Sprintf(", of %d numbers", r.Judged)
	}
	j.Verdict, _, _ = strings.Cut(sentence, ":")
	for _, h := range r.Health {
		j.Health = append(j.Health, HealthRow{Health: h, Chain: -1})
	}
	return j
}
