package opt

import "github.com/sgppl/sgppl/ir"

// entries: one entry of a computed array is computed from entries.
//
//	at k of (x + y)   → (at k of x) + (at k of y)
func entries(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if is(v, ir.OpAt) {
			return entry(b, v, args[0])
		}
		return nil
	})
}

func entry(b *ir.Builder, v, x *ir.Value) *ir.Value {
	if !x.Has(v.Over[0]) {
		return x
	}
	switch {
	case is(x, ir.OpIota):
		return b.Size(v.Off)
	case x.Op.Class == ir.Map:
		args := make([]*ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = entry(b, v, a)
		}
		return b.Map(x.Op, args...)
	}
	return b.At(x, v.Over[0], v.Off)
}
