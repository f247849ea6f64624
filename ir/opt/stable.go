package opt

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// stable: forms that neither overflow nor cancel.
//
//	log Σ exp x        → log_sum_exp x        log(1 + exp x)     → log1p_exp x
//	log(sigmoid x)     → log_sigmoid x        log(1 − sigmoid x) → log_sigmoid(−x)
//	log(1 + x)         → log1p x              exp x − 1          → expm1 x
//	log(1 − exp x)     → log1m_exp x          log(exp x / y)     → x − log y
//	1 − sigmoid x      → sigmoid(−x)              log(c·x)           → log c + log x
//	log(entries of exp x) → entries of x
func stable(b *ir.Builder, f *ir.Func) *ir.Func {
	return ir.RewriteFunc(b, f, stabilise)
}

func stabilise(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	switch v.Op {
	case ir.OpLog:
		return stableLog(b, args[0])
	case ir.OpLog1p:
		switch x := args[0]; {
		case is(x, ir.OpExp):
			return b.Map(ir.OpLog1pExp, x.Args[0])
		case is(x, ir.OpNeg) && is(x.Args[0], ir.OpExp):
			return b.Map(ir.OpLog1mExp, x.Args[0].Args[0])
		case is(x, ir.OpNeg) && is(x.Args[0], ir.OpSigmoid):
			return b.Map(ir.OpLogSigmoid, b.Neg(x.Args[0].Args[0]))
		}
	case ir.OpSub:
		switch x, y := args[0], args[1]; {
		case is(x, ir.OpExp) && y.Is(1):
			return b.Map(ir.OpExpm1, x.Args[0])
		case x.Is(1) && is(y, ir.OpSigmoid):
			return b.Map(ir.OpSigmoid, b.Neg(y.Args[0]))
		}
	}
	return nil
}

func stableLog(b *ir.Builder, x *ir.Value) *ir.Value {
	switch x.Op {
	case ir.OpSum:
		if e := x.Args[0]; is(e, ir.OpExp) && len(x.Over) == 1 {
			return b.Reduce(ir.OpLogSumExp, e.Args[0], x.Over[0])
		}
	case ir.OpSigmoid:
		return b.Map(ir.OpLogSigmoid, x.Args[0])
	case ir.OpAdd:
		for i, one := range x.Args {
			if !one.Is(1) {
				continue
			}
			if e := x.Args[1-i]; is(e, ir.OpExp) {
				return b.Map(ir.OpLog1pExp, e.Args[0])
			}
			return b.Map(ir.OpLog1p, x.Args[1-i])
		}
	case ir.OpSub:
		if !x.Args[0].Is(1) {
			break
		}
		switch e := x.Args[1]; e.Op {
		case ir.OpExp:
			return b.Map(ir.OpLog1mExp, e.Args[0])
		case ir.OpSigmoid:
			return b.Map(ir.OpLogSigmoid, b.Neg(e.Args[0]))
		default:
			return b.Map(ir.OpLog1p, b.Neg(e))
		}
	case ir.OpDiv:
		if is(x.Args[0], ir.OpExp) {
			return b.Sub(x.Args[0].Args[0], stableLogOf(b, x.Args[1]))
		}
		if c, ok := x.Args[1].Const(); ok && c > 0 {
			return b.Sub(stableLogOf(b, x.Args[0]), b.Num(special.Log(c)))
		}
	case ir.OpGather, ir.OpRows, ir.OpRename, ir.OpAt, ir.OpSlice, ir.OpFlatten, ir.OpUnflatten:
		return entriesOfLog(b, x)
	case ir.OpMul:
		for i, e := range x.Args {
			if is(e, ir.OpExp) {
				return b.Add(e.Args[0], stableLogOf(b, x.Args[1-i]))
			}
		}
		for i, e := range x.Args {
			if c, ok := e.Const(); ok && c > 0 {
				return b.Add(b.Num(special.Log(c)), stableLogOf(b, x.Args[1-i]))
			}
		}
	}
	return nil
}

// entriesOfLog returns log x where x is a selection of entries of an exponential: the selection of
// entries of its argument. An example are the log probabilities of the words of a document; there
// are fewer different words than words. It returns nil for others.
func entriesOfLog(b *ir.Builder, x *ir.Value) *ir.Value {
	switch x.Op {
	case ir.OpExp:
		return x.Args[0]
	case ir.OpGather, ir.OpRows, ir.OpRename, ir.OpAt, ir.OpSlice, ir.OpFlatten, ir.OpUnflatten:
		if y := entriesOfLog(b, x.Args[0]); y != nil {
			return b.Like(x, append([]*ir.Value{y}, x.Args[1:]...))
		}
	}
	return nil
}

func stableLogOf(b *ir.Builder, x *ir.Value) *ir.Value {
	if v := stableLog(b, x); v != nil {
		return v
	}
	return b.Map(ir.OpLog, x)
}
