package lower

import (
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Mask is a use of dropout. Its leaf has a number for each entry that is dropped or kept,
// uniform on (0, 1), or maskOff where nothing is dropped.
type Mask struct {
	model.Mask
	at source.Span // in the user's file
}

// maskOff stands in a leaf for "keep the entry as it is".
const maskOff = -1

// dropout returns x times a mask: 0 where the entry's uniform number is below rate, else
// 1/(1 − rate), which keeps the mean (Srivastava et al. 2014, §10). Without Options.Masks it
// returns x.
func (l *Model) dropout(e *ast.Call, x, rate *ir.Value) *ir.Value {
	p, isConst := rate.Const()
	if !isConst {
		l.Fail(limits.DropoutPlace, e.Span,
			"the rate of dropout is a number or a const, and this is computed")
	}
	if !(p >= 0 && p < 1) {
		l.Fail(limits.DropoutPlace, e.Span,
			"the rate of dropout is %v: at least 0, and below 1, where something is left", p)
	}
	if !l.o.Masks || p == 0 {
		return x
	}
	b, axes := l.B, slices.Clone(x.Axes)
	for f := l.frame; f != nil; f = f.up {
		axes = append(axes, ir.Without(f.along, axes)...)
	}
	axes = append(axes, ir.Without(l.plates, axes)...)
	name := model.MaskPrefix + strconv.Itoa(len(l.Masks))
	leaf := b.Leaf(ir.OpLocal, name, axes...)
	src, at := l.Checked.File.Source, l.userSpan(e.Span)
	place := src.Place(at.Start)
	l.Masks = append(l.Masks, &Mask{Mask: model.Mask{Name: name, Place: place}, at: at})
	kept := b.Map(ir.OpSelect, b.Map(ir.OpLt, leaf, b.Num(p)), b.Num(0), b.Num(1/(1-p)))
	return b.Mul(x, b.Map(ir.OpSelect, b.Map(ir.OpLt, leaf, b.Num(0)), b.Num(1), kept))
}

// Unmasked returns f without its masks, so that nothing is dropped.
func (l *Model) Unmasked(f *ir.Func) *ir.Func {
	if len(l.Masks) == 0 {
		return f
	}
	return ir.RewriteFunc(l.B, f, l.unmask)
}

func (l *Model) unmask(b *ir.Builder, v *ir.Value, _ []*ir.Value) *ir.Value {
	if v.Op == ir.OpLocal && model.IsMask(v.Name) {
		return b.Num(maskOff)
	}
	return nil
}

// UnmaskedJoint returns j without masks.
func (l *Model) UnmaskedJoint(j *Joint) *Joint {
	if len(l.Masks) == 0 {
		return j
	}
	out := *j
	values := []**ir.Value{&out.PerRow, &out.Seen, &out.Rest, &out.Jacobian}
	out.Rows, out.Parts = append([]RowValue(nil), j.Rows...), append([]ir.Output(nil), j.Parts...)
	for i := range out.Rows {
		values = append(values, &out.Rows[i].Value)
	}
	for i := range out.Parts {
		values = append(values, &out.Parts[i].Value)
	}
	for _, v := range values {
		if *v != nil {
			*v = ir.Rewrite(l.B, []*ir.Value{*v}, l.unmask)[0]
		}
	}
	return &out
}

// CheckMasksAlone reports dropout in a model with locals that chains draw.
func (l *Model) CheckMasksAlone() {
	for _, m := range l.Masks {
		l.Try(func() {
			l.Fail(limits.DropoutPlace, m.at,
				"dropout and latent values of rows that chains draw (%s) do not go together: the "+
					"chains are given one network", l.Sampled[0].Name)
		})
	}
}

// CheckMasks reports dropout that is not of rows of the minibatch: density is the log density.
func (l *Model) CheckMasks(density *ir.Func) {
	of := map[string]*Mask{}
	for _, m := range l.Masks {
		of[m.Name] = m
	}
	for _, v := range density.Values() {
		if v.Op != ir.OpLocal || !model.IsMask(v.Name) || v.RowAxis() != nil {
			continue
		}
		m := of[v.Name]
		l.Try(func() {
			l.Fail(limits.DropoutPlace, m.at,
				"dropout is drawn for every row of a minibatch, and the value here belongs to no "+
					"row: put it on what is computed of a row, in a plate over all rows")
		})
	}
}
