package opt

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// Squares is for recurrences of standard deviations, as those of GARCH are. Where the next value is
// a root, and the steps read the square of the carried value alone, the squares are carried:
//
//	s[t+1] = √v(s[t]²)   → w[t+1] = v(w[t]), s = √w
//
// A step then waits for no root, and the way back for no product with its derivative. The start and
// v must be known not to be negative: else the root of a negative number, which is NaN, would not
// end up in the last value. positive reports whether the numbers of an input are not negative.
func Squares(b *ir.Builder, f *ir.Func, positive func(input string) bool) *ir.Func {
	s := &squares{positive: positive, carry: map[*ir.Value]*ir.Value{}, known: map[*ir.Value]bool{}}
	s.find(b, f.Values())
	if len(s.carry) == 0 {
		return f
	}
	return ir.RewriteFunc(b, f, s.rewrite)
}

// squares has the new carries, by the old ones.
type squares struct {
	positive func(input string) bool
	carry    map[*ir.Value]*ir.Value
	known    map[*ir.Value]bool // not negative, or not known to be
}

// find makes the carries of squares.
func (s *squares) find(b *ir.Builder, values []*ir.Value) {
	otherwise := map[string]bool{} // carries, by name, that are read as they are
	leaves := map[string]*ir.Value{}
	for _, v := range values {
		if v.Op == ir.OpCarry {
			if leaves[v.Name] != nil {
				otherwise[v.Name] = true // with other axes
			}
			leaves[v.Name] = v
		}
		if squared(v) != nil {
			continue
		}
		args := v.Args
		if v.Op == ir.OpScan {
			args = args[len(args)/3:]
		}
		for _, a := range args {
			if a.Op == ir.OpCarry {
				otherwise[a.Name] = true
			}
		}
	}
	for _, v := range values {
		if v.Op != ir.OpScan {
			continue
		}
		carries, inits, nexts := ir.ScanParts(v)
		for k, c := range carries {
			if s.carry[c] == nil && !otherwise[c.Name] && nexts[k].Op == ir.OpSqrt &&
				s.nonnegative(inits[k]) && s.nonnegative(nexts[k].Args[0]) {
				s.carry[c] = b.Carry("", c.State(), c.Axes...)
			}
		}
	}
}

// squared returns what a value is the square of; nil for another value.
func squared(v *ir.Value) *ir.Value {
	switch {
	case is(v, ir.OpPow) && v.Args[1].Is(2), is(v, ir.OpMul) && v.Args[0] == v.Args[1]:
		return v.Args[0]
	}
	return nil
}

func (s *squares) rewrite(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if c := squared(v); c != nil && s.carry[c] != nil {
		return s.carry[c]
	}
	if v.Op != ir.OpScan {
		return nil
	}
	args = slices.Clone(args)
	m, changed := len(args)/3, false
	for k, c := range v.Args[:m] {
		if w := s.carry[c]; w != nil {
			args[k], args[m+k], args[2*m+k] = w, b.Mul(args[m+k], args[m+k]), args[2*m+k].Args[0]
			changed = true
		}
	}
	if !changed {
		return nil
	}
	scan := b.ScanPart(args, v.Over[0], v.To, v.Mode == ir.Reverse, v.Part)
	if s.carry[v.Args[v.Part]] == nil {
		return scan
	}
	return b.Map(ir.OpSqrt, scan)
}

// nonnegative reports whether a value is known not to be negative wherever it is a number. A carry
// is read as its square alone.
func (s *squares) nonnegative(v *ir.Value) bool {
	if known, ok := s.known[v]; ok {
		return known
	}
	all := func(args ...*ir.Value) bool {
		return !slices.ContainsFunc(args, func(a *ir.Value) bool { return !s.nonnegative(a) })
	}
	known := false
	switch c, constant := v.Const(); {
	case constant:
		known = c >= 0
	case squared(v) != nil:
		known = true
	default:
		switch v.Op {
		case ir.OpExp, ir.OpSigmoid, ir.OpLog1pExp, ir.OpSqrt, ir.OpAbs, ir.OpSize:
			known = true
		case ir.OpData:
			known = s.positive(v.Name)
		case ir.OpAdd, ir.OpMul, ir.OpDiv, ir.OpMax, ir.OpMin:
			known = all(v.Args...)
		case ir.OpSub:
			known = v.Args[0].Is(1) && is(v.Args[1], ir.OpSigmoid)
		case ir.OpSelect:
			known = all(v.Args[1:]...)
		case ir.OpPow, ir.OpGather, ir.OpSlice, ir.OpAt, ir.OpRename, ir.OpSum:
			known = all(v.Args[0])
		}
	}
	s.known[v] = known
	return known
}
