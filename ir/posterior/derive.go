package posterior

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
)

// Derive lowers a model to the functions constrain and unconstrain, which compute the tracked
// values given the unknowns. It uses the options RowDim and Sampled.
func Derive(m *check.Model, o Options) (*Posterior, diag.List) {
	l, diags := lower.Lower(m,
		lower.Options{RowDim: o.RowDim, Sampled: o.Sampled, Exact: true, Laws: true,
			Strategy: lawStrategy(false), Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	p := &Posterior{}
	out, diags := p.finish(l, freeDims)
	if out != nil {
		out.Funcs = append([]*ir.Func{l.Constrain(out.Spec)}, out.Funcs...)
	}
	return out, diags
}
