package run

import (
	"encoding/json"
	"io"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// An Event reports the progress of a chain. `--progress json` prints each as a line of JSON.
type Event struct {
	// Event is the kind of the event: "progress"; "end", the last event of a chain; "phase", work
	// before the first step; "note", a message; or "checkpoint", a checkpoint that was written while
	// Work.Holds is set.
	Event      string   `json:"event"`
	Text       string   `json:"text,omitempty"` // of a phase or a note
	Chain      int      `json:"chain"`
	Step       int64    `json:"step"`
	Steps      int64    `json:"steps"`
	Warmup     int64    `json:"warmup"`
	Draws      int64    `json:"draws"`
	Of         int64    `json:"draws_of"`
	Seconds    float64  `json:"seconds"` // since the chain started or was resumed
	StepsRate  Float    `json:"steps_per_second"`
	RowsRate   Float    `json:"rows_per_second"`
	Left       Float    `json:"seconds_left"`
	StepSize   Float    `json:"step_size"`
	LogDensity Float    `json:"lp_est"` // estimate from the last minibatch
	Health     []Health `json:"health"`
	// HeldOut is the running predictive of held-out rows, after the first draw.
	HeldOut *HeldOutEvent `json:"held_out,omitempty"`
	// Drawn has the chain's draws since the last event, if the run is watched (Work.Watch).
	Drawn *Drawn `json:"drawn,omitempty"`
	// Criterion is the value that an optimiser's checks compare; nil for a sampler.
	Criterion *Criterion `json:"criterion,omitempty"`
}

// A Criterion is how good the points of an optimiser's chain are so far.
type Criterion struct {
	// "held_out", the mean log likelihood of a held-out row, or "lp", the log density with all rows
	Of          string `json:"of"`
	Last        Float  `json:"last"`      // of the last check; null before the first
	Best        Float  `json:"best"`      // of all checks
	Step        int64  `json:"best_step"` // −1 before the first
	Temperature Float  `json:"temperature"`
}

func eventOf(p sampler.Progress, c *sampler.Config) Event {
	e := Event{Event: "progress", Chain: p.Chain, Step: p.Step, Steps: p.Steps, Warmup: c.Warmup,
		Draws: p.Draws, Of: c.Draws,
		Seconds: p.Elapsed.Seconds(), StepSize: Float(p.StepSize), LogDensity: Float(p.LPEst),
		Health: healthOf(p.Health)}
	if p.Done {
		e.Event = "end"
	}
	e.rates(p.Taken, p.Rows)
	return e
}

// rates sets the steps and rows per second and the seconds left, from the numbers of steps and rows
// since the chain started or was resumed.
func (e *Event) rates(taken, rows int64) {
	rate := math.NaN()
	if e.Seconds > 0 && taken > 0 {
		rate = float64(taken) / e.Seconds
	}
	e.StepsRate, e.RowsRate = Float(rate), Float(rate*float64(rows)/float64(taken))
	e.Left = Float(float64(e.Steps-e.Step) / rate)
}

// WriteEvent writes an event as a line of JSON.
func WriteEvent(w io.Writer, e Event) error { return writeLine(w, e) }

// WriteNote writes a note as a line of JSON, among the events.
func WriteNote(w io.Writer, text string) error {
	return writeLine(w, struct {
		Event string `json:"event"` // "note"
		Text  string `json:"text"`
	}{"note", text})
}

// WritePhase writes an event "phase" as a line of JSON: the work before the first step, and the
// seconds since it began.
func WritePhase(w io.Writer, text string, seconds float64) error {
	return writeLine(w, struct {
		Event   string  `json:"event"` // "phase"
		Text    string  `json:"text"`
		Seconds float64 `json:"seconds"`
	}{"phase", text, seconds})
}

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
