package main

import (
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
)

// predictCmd has the fields of predict.Options, as flags.
type predictCmd struct {
	Dir      string   `arg:"" name:"run" help:"A run directory."`
	Data     []string `sep:"none" placeholder:"SPEC" help:"The new rows, as for sample; observed names may be missing. May be repeated."`
	Set      []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	Names    []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, as for sample, instead of the run's own. May be repeated."`
	Out      string   `required:"" placeholder:"FILE" help:"FILE.json, FILE.csv or FILE.zarr; - is JSON on standard output."`
	Observed []string `sep:"none" placeholder:"SPEC" help:"The known entries of rows, as --data has those to predict: the rows' latent values are drawn given them. May be repeated." group:"Latent values of rows"`
	Latent   []string `placeholder:"NAME" help:"Instead of observed names write the latent values of the rows: their posterior given the rows. May be repeated." group:"Latent values of rows"`

	LocalBurnIn   int `default:"20" placeholder:"N" help:"Sweeps over a row before the one that is taken (default ${default})." group:"Latent values of rows"`
	LocalLeapfrog int `default:"10" placeholder:"L" help:"Steps of a trajectory of a continuous one (default ${default})." group:"Latent values of rows"`

	NewLevels bool `help:"Words that are no levels of the run are new levels: their unknowns are drawn from their prior."`

	Mean    bool   `help:"Instead of draws: mean, sd and quantiles of every entry, probabilities of classes."`
	Draws   int    `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Seed    uint64 `default:"1" help:"Seed of the predictions (default ${default})."`
	Threads int    `help:"Draws at once; 0 is as many as there are processors."`
	Force   bool   `help:"Replace a file that exists."`

	Point     string `placeholder:"POINT" help:"Of a run of optimize: best (the default), last, average or iterates."`
	AllChains bool   `help:"Of a run of optimize: the points of all chains, not only of the best one."`
}

func (c *predictCmd) Help() string {
	return `Posterior predictive draws of the observed names for new rows: for every draw of the run one of the data. Without --data
and --set they are for the run's own data, which is what posterior predictive checks compare with it. Sizes of the parameters
and values such as mean(x) are those of the fitted run. A name that another's distribution reads is taken from the data.
A row of a group that was not fitted is refused; with --new-levels the unknowns of such a group are drawn from their prior,
given the draws of what groups share.

Where rows have latent values of their own, such as the topics of a document, new rows draw theirs from their laws. With --observed,
which has other entries of the same rows, they are drawn given those. --latent NAME writes the latent values themselves, of the rows of --data given
all that is observed of them.

JSON has lists by chain and draw, CSV a line a draw, Zarr is an ArviZ store with the group posterior_predictive. With --mean
JSON and CSV hold mean, sd, q5, q50 and q95 of every entry; of classes the probability of each and the most probable one.

  sgppl predict runs/logistic-1 --data x=a9a.t.gz:features --out y.csv --mean
  sgppl predict runs/eight_schools-1 --out replicated.zarr
  sgppl predict runs/lda-1 --latent theta --out theta.csv --mean
  sgppl predict runs/lda-1 --observed w=docs.ldac:words=0%2 --data w=docs.ldac:words=1%2 --out words.json`
}

// Run predicts.
func (c *predictCmd) Run(e *session.Session) error {
	o := predict.Options(*c)
	return o.Run(e)
}
