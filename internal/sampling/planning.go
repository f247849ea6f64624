package sampling

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// planning has the flags of posteriors of many rows, whose sampler and settings are
// found by themselves.
type planning struct {
	TargetESS *float64       `name:"target-ess" placeholder:"E" help:"Of many rows: draws go on until the least effective sample size of a number is E (default ${ess}), and their bias is known; --draws in its place fixes their number." group:"Many rows"`
	MaxBias   *float64       `placeholder:"SD" help:"Of many rows: the bias of a mean that is allowed, in standard deviations (default ${bias}); of the logarithm of a standard deviation half as much." group:"Many rows"`
	Time      *time.Duration `placeholder:"10m" help:"Of many rows: how long the run may take; what is known of the draws then is said." group:"Many rows"`
	Anchor    string         `placeholder:"PLACE" help:"Of many rows: where the control variate of minibatches is anchored: mode, mean, none, or auto (the default: at the mode, or where there is none at the mean). With a sampler on stochastic gradients that has a velocity minibatches are taken whatever they cost." group:"Many rows"`
	Dry       bool           `help:"Of many rows: find how the run would be sampled, say so with a forecast, and stop." group:"Many rows"`
}

const (
	defaultESS, defaultBias = 400.0, 0.1
	// plannedRows is how many rows a model has at least whose sampler is found by a plan.
	plannedRows = 2000
)

// PlanningVars are the variables of the tags of the flags of many rows.
func PlanningVars() commandline.Vars {
	return commandline.Vars{"ess": fmt.Sprint(defaultESS), "bias": fmt.Sprint(defaultBias)}
}

// check refuses numbers that cannot be.
func (p *planning) check(ctx *commandline.Context) error {
	bad := func(x *float64) bool { return x != nil && !(*x > 0 && !math.IsInf(*x, 0)) }
	switch {
	case bad(p.TargetESS):
		return session.Usagef("--target-ess %v: an effective sample size above 0 is expected",
			*p.TargetESS)
	case bad(p.MaxBias):
		return session.Usagef("--max-bias %v: a number of standard deviations above 0 is expected",
			*p.MaxBias)
	case p.Time != nil && *p.Time <= 0:
		return session.Usagef("--time %v: a time above 0 is expected, such as 90s or 10m", *p.Time)
	case p.Anchor != "" && !slices.Contains(settings.Anchors, p.Anchor):
		return session.Usagef("--anchor %s: one of %s", p.Anchor,
			strings.Join(settings.Anchors, ", "))
	case p.TargetESS != nil && given(ctx, "draws"):
		return session.Usagef("--draws says how many draws there are, and --target-ess how many " +
			"effective ones: one of them")
	}
	return nil
}

// otherWays are the flags that only other ways of sampling understand, besides those of
// blockFlags.
var otherWays = []string{"inner-steps", "leapfrog", "target-accept", "metric", "max-depth",
	"energy-error", "replicas", "permute",
	"synthetic-noise", "full-batch", "passes", "warmup", "thin",
	"save-warmup", "lp", "reservoir", "follow", "local-burn-in", "local-draws", "local-thin",
	"local-leapfrog"}

// otherWay is the first flag that is given and that minibatches with an anchor have no use
// for; "" without one.
func (c *Sample) otherWay(
	e *session.Session, ctx *commandline.Context, cfg *sampler.Config, keep session.Kept,
) string {
	for i := range blockFlags {
		switch f := &blockFlags[i]; f.name {
		case "sampler", "step", "friction":
		case "temperature":
			if cfg.Temperature != 1 {
				return "--temperature"
			}
		case "scheme":
			if cfg.Scheme != "" && cfg.Scheme != "split" {
				return "--scheme"
			}
		default:
			if len(f.values(c)) > 0 {
				return "--" + f.name
			}
		}
	}
	for _, name := range otherWays {
		if given(ctx, name) {
			return "--" + name
		}
	}
	switch {
	case keep.Last > 0:
		return "--keep last"
	case c.BatchOrder != "" && c.BatchOrder != "size" && c.BatchOrder != "replace":
		return "--batch-order " + c.BatchOrder
	}
	return ""
}
