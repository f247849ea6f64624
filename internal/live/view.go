package live

import (
	"github.com/sgppl/sgppl/runtime/results/run"
)

// The states of a run that is looked at.
const (
	SettingUp   = "setting up"
	Running     = "running"
	Stopping    = "stopping" // asked to
	Done        = "done"
	Interrupted = "interrupted"
	Failed      = "failed"
	Killed      = "killed" // its process is gone, and did not say how the run ended
	Silent      = "silent" // nothing is heard of its process
)

// A View is what a page shows of a run at a moment. Every message to a page is a whole one.
type View struct {
	Head
	Progress
	Judgement
	Charts []Chart  `json:"charts"`
	Notes  []string `json:"notes"`
}

// A Head says which run a view is of, and what became of it.
type Head struct {
	Run    string `json:"run"`    // the path of its directory, as given
	Model  string `json:"model"`  // its name
	Method string `json:"method"` // nuts, 4 chains of 1000 warm-up steps and 1000 draws
	State  string `json:"state"`  // one of the constants
	Words  string `json:"words"`  // the state in a sentence, with what can be done
	// Stop says that the run can be asked to stop.
	Stop bool `json:"stop"`
	// Resume is the command that goes on with a run which has stopped; else "".
	Resume string `json:"resume,omitempty"`
	ID     string `json:"id"` // of the run
}

// A Progress says how far a run is. Rates are sums over the chains.
type Progress struct {
	Seconds   float64     `json:"seconds"` // since the process began to sample
	Left      run.Float   `json:"seconds_left"`
	Share     run.Float   `json:"share"` // of all steps that are taken, from 0 to 1
	Draws     int64       `json:"draws"` // of all chains
	Of        int64       `json:"draws_of"`
	StepsRate run.Float   `json:"steps_per_second"`
	RowsRate  run.Float   `json:"rows_per_second"`
	Chains    []ChainView `json:"chains"`
}

// A ChainView says how far a chain is.
type ChainView struct {
	Chain    int       `json:"chain"`
	Step     int64     `json:"step"`
	Steps    int64     `json:"steps"`
	Warmup   int64     `json:"warmup"`
	Draws    int64     `json:"draws"`
	Of       int64     `json:"draws_of"`
	StepSize run.Float `json:"step_size"`
	Ended    bool      `json:"ended"`
}

// A Judgement says how good the draws are so far.
type Judgement struct {
	// Verdict is ok, unsure, off, early, or "" where there is nothing to judge.
	Verdict  string      `json:"verdict"`
	Sentence string      `json:"sentence"`
	Health   []HealthRow `json:"health"`
	// From says from which draws the numbers of the traces were computed. R-hat and effective sizes of
	// the health come from the same draws, unless JudgedOf says otherwise.
	From     string `json:"from"`
	JudgedOf string `json:"of,omitempty"`
}

// A HealthRow is a row of the health table, and the chain that it is of: that with the worst
// verdict, or −1 for all together.
type HealthRow struct {
	run.Health
	Chain int `json:"chain"`
	// AtLeast says that the value is a lower bound: it is of some of the draws.
	AtLeast bool `json:"at_least,omitempty"`
}

// A Chart has lines of numbers, one a chain.
type Chart struct {
	Kind    string `json:"kind"` // trace, lp, held_out or criterion
	Title   string `json:"title"`
	Caption string `json:"caption"`
	X       string `json:"x"` // what the lines are along
	Lines   []Line `json:"lines"`
}

// A Line is of a chain.
type Line struct {
	Chain int        `json:"chain"`
	X     []int64    `json:"x"`
	Y     run.Digits `json:"y"`
}

// Ended reports whether the run of a view has ended, as far as is known.
func (v *View) Ended() bool {
	switch v.State {
	case Done, Interrupted, Failed, Killed:
		return true
	}
	return false
}
