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
// methods for topic models", §5.1; the name is theirs): some entries of a row are known, and the
// others are to be predicted. With v the latent values
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
// A local of one entry (in a plate over the entries, such as the topic of a word) is summed out in
// Scored. A local that all entries share and that is integrated out is drawn from its posterior
// given the other locals; where the probability of an entry is linear in it, its posterior mean
// replaces it.

// Where no entry of a row is known, the latent values are drawn from their prior and rows are
// scored as a whole: importance sampling from the prior of the
// locals (ibid., §4.1),
//
//	p(row | params) = E[p(row | v, params)],  v ~ p(v | params)
//

// A Completion is a model lowered for the known entries of rows. Score lowers it for the other
// entries.
type Completion struct {
	RowChain
	Score func() (*Scored, diag.List)
}

// A RowChain is a model lowered for the chain that draws the latent values of a row given its known
// entries.
type RowChain struct {
	Model *lower.Model
	Spec  *model.Spec
	Joint *lower.Joint
	Prior bool // no entry of a row is known
}

// A completing has the settings for lowering a model for completion.
type completing struct {
	prior  bool              // no entry of a row is known: rows are scored as a whole
	scored bool              // the model is lowered for the other entries
	asked  map[string]string // strategies of locals that replace those of the model
}

// lower lowers the model.
func (c *completing) lower(m *check.Model, o Options) (*lower.Model, diag.List) {
	return lower.Lower(m, lower.Options{RowDim: o.RowDim, Sampled: true, Entries: true,
		Strategy: c.strategy, Jacobian: o.Jacobian})
}

// Complete lowers a model for the completion of rows. Diagnostics say which statements give no
// probability to single entries.
func Complete(m *check.Model, o Options) (*Completion, diag.List) {
	c := &completing{prior: o.Prior, asked: map[string]string{}}
	l, diags := c.lower(m, o)
	for l != nil && c.unfit(l) { // another strategy is needed
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

// unfit switches shared locals that are integrated out to gmc, where their posterior mean or draw
// would be wrong or is not known. It reports whether it switched any.
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

// strategy chooses how locals are handled for completion: locals that the entries of a row share
// are drawn; those of one entry are summed out.
func (c *completing) strategy(l *lower.Model, s *check.Symbol, by string, own bool) string {
	if asked := c.asked[s.Name]; asked != "" {
		return asked
	}
	switch {
	case by == "marginal" && !own && !c.prior:
		return "gibbs"
	case by == "gibbs" && !own && c.prior && len(s.Type.Shape) == 0:
		return "marginal" // exact, where possible
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

// rows puts the terms, and further values of rows, on the rows of the chain. It reports whether
// there is a local to draw.
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
