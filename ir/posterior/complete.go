package posterior

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Document completion (Wallach, Murray, Salakhutdinov & Mimno 2009, "Evaluation
// methods for topic models", §5.1; the name is theirs): what is known of a row
// is a part of its entries, and the others are to be predicted. With v the latent values
// that the entries of a row share,
//
//	p(entry | observed, params) = E[p(entry | v, params)],  v ~ p(v | observed, params)
//
// and the expectation is the mean over the kept draws of the row's chain. So a
// model is lowered twice, for two bindings of the same rows:
//
//	Observed   the chain of the locals, given the entries that are known
//	Scored     the log probability of every other entry, given draws of v
//
// What an entry has for itself (a local in a plate over the entries, such as the
// topic of a word) is summed out in Scored. What is integrated out and shared
// is drawn from its posterior given the other locals; or its posterior mean
// stands for it, where the probability of an entry is linear in it.

// Where nothing is known of a row, the latent values are drawn from their prior
// and the rows are scored whole: importance sampling from the prior of the
// locals (ibid., §4.1),
//
//	p(row | params) = E[p(row | v, params)],  v ~ p(v | params)
//

// A Completion is a model lowered for the known entries of rows. Score lowers it
// for the others.
type Completion struct {
	RowChain
	Score func() (*Scored, diag.List)
}

// A RowChain is a model lowered for the chain that draws the latent values of a
// row given what is known of the row.
type RowChain struct {
	Model *lower.Model
	Spec  *model.Spec
	Joint *lower.Joint
	Prior bool // nothing is known of a row
}

// A completing is what the lowering of a model for completion depends on.
type completing struct {
	prior  bool              // nothing is known of a row: whole rows are scored
	scored bool              // it is lowered for the other entries
	asked  map[string]string // strategies of locals, in the place of the model's
}

// lower lowers the model.
func (c *completing) lower(m *check.Model, o Options) (*lower.Model, diag.List) {
	return lower.Lower(m, lower.Options{RowDim: o.RowDim, Sampled: true, Entries: true,
		Strategy: c.strategy, Jacobian: o.Jacobian})
}

// Complete lowers a model for the completion of rows. Diagnostics say what has
// no probability for an entry.
func Complete(m *check.Model, o Options) (*Completion, diag.List) {
	c := &completing{prior: o.Prior, asked: map[string]string{}}
	l, diags := c.lower(m, o)
	for l != nil && c.unfit(l) { // it asked for another strategy
		l, diags = c.lower(m, o)
	}
	if l == nil {
		return nil, diags
	}
	out := &Completion{RowChain: RowChain{Prior: o.Prior}}
	if !out.RowChain.rows(l) {
		return nil, l.Diags
	}
	o.RowDim = out.Spec.RowDim
	out.Score = func() (*Scored, diag.List) {
		l, diags := (&completing{prior: o.Prior, scored: true, asked: c.asked}).lower(m, o)
		if l == nil {
			return nil, diags
		}
		return score(l, o.Prior), l.Diags
	}
	return out, l.Diags
}

// unfit has shared locals that are integrated out drawn by gmc, where what
// stands for them would be wrong or is not known. It reports whether there are
// any that were not.
func (c *completing) unfit(l *lower.Model) bool {
	again := false
	for _, u := range l.Collapsed {
		known := slices.ContainsFunc(l.Means,
			func(p lower.PosteriorValue) bool { return p.Of == u })
		if u.Local && !l.OfEntry(u.Plates) && !known {
			c.asked[u.Name], again = "gmc", true
		}
	}
	return again
}

// strategy deals with locals where entries of rows are completed: what the entries of
// a row share is drawn, and in the terms of an entry its own locals are summed out.
func (c *completing) strategy(l *lower.Model, s *check.Symbol, by string, own bool) string {
	if asked := c.asked[s.Name]; asked != "" {
		return asked
	}
	switch {
	case by == "marginal" && !own && !c.prior:
		return "gibbs"
	case by == "gibbs" && !own && c.prior && len(s.Type.Shape) == 0:
		return "marginal" // exact, where it can be had
	case by == "collapse" && !own && c.prior:
		return "gmc"
	case c.scored && own && by == "gibbs":
		return "marginal"
	case c.scored && own && by == "gmc":
		l.Fail(limits.CannotLeaveOut, s.Span,
			"%s is a continuous value of every entry, which cannot be summed out where other "+
				"entries are completed", s.Name)
	case c.scored && !own && by == "collapse":
		return lower.GivenDraws
	}
	return by
}

// rows puts the terms on the rows of the chain, and more values of rows. It reports
// whether there is anything to draw.
func (c *RowChain) rows(l *lower.Model, more ...lower.RowValue) bool {
	c.Model, c.Joint = l, l.Joint(more...)
	c.Spec = l.Spec()
	c.Spec.RowDim = c.Joint.Dim
	if len(l.Sampled) == 0 && len(l.Means) == 0 {
		l.QuietFail(limits.CannotLeaveOut, l.FileStart(),
			"the model has no latent values of rows, which the known part of a row could say "+
				"something of: score the rows without --observed")
		return false
	}
	if c.Prior {
		c.Joint.Parts = slices.DeleteFunc(c.Joint.Parts,
			func(o ir.Output) bool { return l.SampledNamed(o.Name) == nil })
	}
	if c.Joint.Dim == "" && len(l.Sampled) == 0 {
		l.QuietFail(limits.CannotLeaveOut, l.FileStart(),
			"no axis of the model can be taken by rows")
		return false
	}
	return true
}
