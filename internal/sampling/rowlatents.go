package sampling

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// treeGradients are those of a draw of nuts in a state of thousands of coordinates, and
// leapfrogGradients those of one of gmc.
const (
	treeGradients     = 31
	leapfrogGradients = 10
)

// A rowCost is what a step costs where latent values of rows are unknowns, and where
// chains draw them for the rows of a minibatch.
type rowCost struct {
	rows, batch   int
	params        int // coordinates that are not of rows
	own           int // coordinates of a row
	gradients     int // of all rows, for a draw of nuts or gmc
	visits        int // evaluations of a row of a minibatch
	names         []string
	sampler, axis string
}

// drawn reports whether chains are to draw the latent values: a full pass is slow, and a
// step on a minibatch evaluates fewer rows than one on all rows. Sizes decide, and no
// measured time.
func (c *rowCost) drawn() bool {
	return slowPass(float64(c.rows), c.params+c.own) && c.batch*c.visits < c.rows*c.gradients
}

// why says so in a line.
func (c *rowCost) why() string {
	return fmt.Sprintf("chains draw %s for the rows of minibatches: a step then evaluates %d "+
		"rows, and %d with them as %d unknowns of %s (--full-batch)",
		listed(c.names), c.batch*c.visits, c.rows*c.gradients, c.rows*c.own, c.sampler)
}

// drawsRows compiles and binds the model anew, with continuous latent values of rows that
// are drawn by chains, if the sampler is to be found, no flag says how they are sampled,
// and minibatches cost less than full passes with the latent values as unknowns.
func drawsRows(
	b *session.Binding, e *session.Session, ctx *commandline.Context, c *Sample, cfg *sampler.Config,
	keep session.Kept,
) error {
	if cfg.Sampler != "auto" || len(cfg.Blocks) > 0 || b.Sampled || b.Rows != nil ||
		len(c.Batch) > 0 || c.FullBatch || c.Lp || c.LogLik {
		return nil
	}
	for _, flag := range []string{"leapfrog", "target-accept", "metric", "max-depth", "energy-error",
		"replicas", "permute", "anchor"} {
		if given(ctx, flag) {
			return nil
		}
	}
	cost := rowCost{params: b.Target.Dim()}
	joined := 0
	for _, l := range b.Compiled.Check.Locals {
		if l.Symbol.Kind != check.LocalVar || l.Strategy != "gmc" {
			continue
		}
		for _, block := range b.Target.Blocks() {
			if block.Name == l.Symbol.Name {
				joined += block.Len
				cost.names = append(cost.names, block.Name)
			}
		}
		if len(keep.Globs) > 0 && session.Matches(keep.Globs, l.Symbol.Name) {
			return nil // draws of it are to be stored
		}
	}
	if joined == 0 {
		return nil
	}
	compiled, err := e.Compile(b.Src,
		driver.Options{Set: session.Numbers(b.Set), RowDim: b.Axis, Sampled: true, Exact: b.Exact,
			Charts: b.Charts})
	if err != nil || session.InPrecision(compiled, b.Precision) != nil {
		return nil // they are unknowns or nothing
	}
	to, err := compiled.VM(b.Bound, b.Constants)
	if err != nil || to.Rows() == 0 || len(target.LocalsOf(to)) == 0 {
		return nil
	}
	o := cfg.LocalOptions.Filled()
	cost.rows, cost.axis, cost.batch = to.Rows(), to.RowAxis(), settings.DefaultBatch(to)
	cost.params -= joined
	cost.own = joined / cost.rows
	cost.sampler, cost.gradients = "nuts", treeGradients
	if f, err := manifold.Product(b.Target.Blocks(), b.Target.Dim()); err == nil &&
		slices.ContainsFunc(f, func(f manifold.Factor) bool { return !f.Flat }) {
		cost.sampler, cost.gradients = "gmc", leapfrogGradients
	}
	cost.visits = (o.BurnIn + o.Thin*o.Kept) * o.Leapfrog
	if !cost.drawn() {
		return nil
	}
	b.Sampled, b.Compiled, b.Target = true, compiled, to
	e.Note("%s", cost.why())
	return nil
}

// listed is "a, b and c".
func listed(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	switch n := len(names); n {
	case 1:
		return names[0]
	default:
		return fmt.Sprintf("%s and %s", strings.Join(names[:n-1], ", "), names[n-1])
	}
}
