package posterior

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Generated is a value of a `generate` line.
type Generated struct {
	Name, Doc string
	Shape     []size.Poly
	Line      int // the number of the line
	Hidden    bool
}

// Generate lowers a model to functions of its `generate` lines, "generate I" of the I-th line. The
// outputs are the values of its names. Later lines read them as latent values. It uses the options
// RowDim and Sampled.
func Generate(m *check.Model, o Options) (*Posterior, diag.List) {
	l, diags := lower.Lower(m,
		lower.Options{RowDim: o.RowDim, Sampled: o.Sampled, Exact: true, Laws: true, Generate: true,
			Strategy: lawStrategy(false), Jacobian: o.Jacobian})
	if l == nil {
		return nil, diags
	}
	p := &Posterior{}
	for i, g := range l.Generated {
		p.Funcs = append(p.Funcs, &ir.Func{ID: fn.Generate.At(i), Outputs: g.Outputs})
		for k, out := range g.Outputs {
			n := ir.Sizes(out.Axes)
			p.Latent = append(p.Latent,
				model.Datum{Name: model.DrawnPrefix + out.Name, Shape: n, Derived: true})
			p.Generated = append(p.Generated, Generated{Name: out.Name, Doc: g.Docs[k], Shape: n,
				Line: i, Hidden: g.Hidden})
		}
	}
	return p.finish(l, freeDims)
}
