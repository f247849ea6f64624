package main

import (
	"runtime"

	"github.com/sgppl/sgppl/runtime/target"
)

// locals are the flags for latent values of rows.
type locals struct {
	LocalBurnIn   int `default:"20" placeholder:"N" help:"Sweeps over a row before the first draw that is kept (default ${default})." group:"Latent values of rows"`
	LocalDraws    int `default:"20" placeholder:"N" help:"Draws of a row's latent values that a gradient is averaged over (default ${default})." group:"Latent values of rows"`
	LocalThin     int `default:"1" placeholder:"N" help:"Sweeps a draw (default ${default})." group:"Latent values of rows"`
	LocalLeapfrog int `default:"10" placeholder:"L" help:"Steps of a trajectory of a continuous one (default ${default})." group:"Latent values of rows"`
}

// options are those of a run of so many chains: the processors that these leave
// share the rows of a minibatch.
func (l *locals) options(chains, threads int) target.LocalOptions {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	o := target.LocalOptions{BurnIn: l.LocalBurnIn, Kept: l.LocalDraws, Thin: l.LocalThin, Leapfrog: l.LocalLeapfrog, Threads: max(threads/max(chains, 1), 1)}
	if o.BurnIn == 0 {
		o.BurnIn = -1
	}
	return o
}
