package calibrate

import (
	"fmt"
	"strconv"
)

// Flags are the flags of a test that its result depends on.
type Flags struct {
	Data []string `sep:"none" placeholder:"SPEC" help:"Covariates and sizes, as for sample. What the model observes is drawn all the same. May be repeated."`
	Set  []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim, a const or a scalar input. May be repeated. Dims that nothing settles are small."`

	Replications int     `default:"100" help:"Data sets that are simulated and fitted; 0 leaves calibration out (default ${default})." group:"Calibration"`
	Draws        int     `default:"99" placeholder:"L" help:"Posterior draws that a replication keeps: ranks are 0 to L (default ${default})." group:"Calibration"`
	Sampler      string  `default:"auto" help:"auto (nuts, or gmc where a space is curved), or any of ${samplers}, on all rows." group:"Calibration"`
	Warmup       int64   `default:"500" help:"Iterations before the first draw (default ${default})." group:"Calibration"`
	Step         float64 `placeholder:"H" help:"The step size; nuts and gmc find theirs in warm-up." group:"Calibration"`
	Friction     float64 `default:"${friction}" help:"D, for samplers that have it (default ${default})." group:"Calibration"`
	Thin         int64   `default:"${thin}" help:"Steps a draw, before effective sample sizes choose (default ${default})." group:"Calibration"`
	Init         string  `placeholder:"RADIUS" help:"Where chains start: a radius, as for sample, or truth, the draw from the prior itself, which tells a wrong density from modes that chains do not find (default 2, but for params with an init of their own)." group:"Calibration"`
	Leapfrog     int     `placeholder:"L" help:"Steps of a trajectory, for gmc and hmc." group:"Calibration"`
	TargetAccept float64 `placeholder:"P" help:"Mean acceptance that a step found in warm-up is to give (default 0.8)." group:"Calibration"`

	Seed uint64 `default:"1" help:"(default ${default})"`
}

// Options are the options of a test with the flags.
func (f *Flags) Options() (Options, error) {
	o := DefaultOptions()
	switch {
	case f.Replications < 0:
		return o, fmt.Errorf("--replications %d: at least 0", f.Replications)
	case f.Draws < 1:
		return o, fmt.Errorf("--draws %d: at least 1", f.Draws)
	case f.Warmup < 0:
		return o, fmt.Errorf("--warmup %d: at least 0", f.Warmup)
	}
	o.Data, o.Sets, o.Replications, o.Draws, o.Seed = f.Data, f.Set, f.Replications, f.Draws, f.Seed
	o.Config.Sampler, o.Config.Warmup, o.Config.Step, o.Config.Friction = f.Sampler, f.Warmup,
		f.Step, f.Friction
	if o.FromTruth = f.Init == "truth"; !o.FromTruth && f.Init != "" {
		r, err := strconv.ParseFloat(f.Init, 64)
		if err != nil {
			return o, fmt.Errorf("--init %s: a radius, or truth", f.Init)
		}
		o.Config.InitRadius, o.Config.PlainStart = r, true
	}
	o.Config.Thin, o.Config.Leapfrog, o.Config.TargetAccept = f.Thin, f.Leapfrog, f.TargetAccept
	return o, nil
}
