package sampling

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Locals are the flags for latent values of rows.
type Locals struct {
	LocalBurnIn   int `default:"20" placeholder:"N" help:"Sweeps over a row before the first draw that is kept (default ${default})." group:"Latent values of rows"`
	LocalDraws    int `default:"20" placeholder:"N" help:"Draws of a row's latent values that a gradient is averaged over (default ${default})." group:"Latent values of rows"`
	LocalThin     int `default:"1" placeholder:"N" help:"Sweeps a draw (default ${default})." group:"Latent values of rows"`
	LocalLeapfrog int `default:"10" placeholder:"L" help:"Steps of a trajectory of a continuous one (default ${default})." group:"Latent values of rows"`
}

// Options are the flags as settings of the chains that draw latent values.
func (l *Locals) Options() target.LocalOptions {
	o := target.LocalOptions{BurnIn: l.LocalBurnIn, Kept: l.LocalDraws, Thin: l.LocalThin,
		Leapfrog: l.LocalLeapfrog}
	if o.BurnIn == 0 {
		o.BurnIn = -1
	}
	return o
}

// Check refuses what is not a number of sweeps.
func (l *Locals) Check() error {
	for _, f := range []struct {
		name  string
		value int
		least int
	}{{"--local-burn-in", l.LocalBurnIn, 0}, {"--local-draws", l.LocalDraws, 1},
		{"--local-thin", l.LocalThin, 1}, {"--local-leapfrog", l.LocalLeapfrog, 1}} {
		if f.value < f.least {
			return session.Usagef("%s: %d is below %d", f.name, f.value, f.least)
		}
	}
	return nil
}
