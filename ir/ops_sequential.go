package ir

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Ops of this file: recurrences. A scan solves, for every carried value k,
//
//	h_k[0] = init_k,   h_k[t+1] = next_k[t],   carry_k[t] = h_k[t]
//
// where next_k is an ordinary value with the axis t that reads the leaves
// carry_1 … carry_m, at one t only: it is written for all steps at once, as a
// plate is, and what does not depend on a carry is computed for all steps at
// once. With Flag the recurrence runs from the end: h_k[T] = init_k,
// h_k[t] = next_k[t], carry_k[t] = h_k[t+1].
//
// The value of a scan is h_Part, along To, which is one longer than t. Its
// arguments are the carries, the inits and the nexts. Outside its own nexts a
// carry stands for what it is equal to, a slice of h.
var OpCarry, OpScan, OpNow *Op

func init() {
	OpCarry = row(Op{Name: "carry", Class: Leaf, Mode: OfState,
		Doc: "what a scan carries into each of its steps; it may depend on the unknowns"})
	OpScan = row(Op{Name: "scan", Class: Sequential, Arity: -1, Mode: Reverse,
		Doc: "args carries, inits, nexts: the carried value Part before, between and " +
			"after the steps along Over[0], along To; in order or from the end",
		NoGradient: "its cotangents are those of a scan in the other direction, which package " +
			"grad builds for all parts at once"})
	OpNow = row(Op{Name: "now", Class: Move, Arity: 1,
		Doc: "in a step of the scan with the first carry Name, as planned: the entry of " +
			"that step along Over[0]",
		NoGradient: "it is made when the gradient has been derived"})
}

// Carry makes the leaf that stands for a carried value in the step of a scan. Each call makes
// another leaf.
func (b *Builder) Carry(hint string, state bool, axes ...*Axis) *Value {
	b.scans++
	return b.Make(Value{Op: OpCarry, Name: fmt.Sprintf("carry%d", b.scans), Mode: OfState.If(state),
		Axes: axes, Hint: hint})
}

// CarryLike makes the leaf of the same carried value with other axes.
func (b *Builder) CarryLike(c *Value, axes []*Axis) *Value {
	return b.Make(Value{Op: OpCarry, Name: c.Name, Mode: c.Mode, Axes: axes, Hint: c.Hint})
}

// Scan makes the values of a recurrence, one a carry. The nexts have at most the axes of their
// carries.
func (b *Builder) Scan(carries, inits, nexts []*Value, t, to *Axis, reverse bool) []*Value {
	args := append(append(append([]*Value(nil), carries...), inits...), nexts...)
	out := make([]*Value, len(carries))
	for k := range out {
		out[k] = b.ScanPart(args, t, to, reverse, k)
		if out[k].Hint == "" {
			out[k].Hint = carries[k].Hint
		}
	}
	return out
}

// ScanPart is one value of a scan, from its arguments.
func (b *Builder) ScanPart(args []*Value, t, to *Axis, reverse bool, part int) *Value {
	axes := append([]*Axis{to}, without(args[part].Axes, []*Axis{t})...)
	return b.Make(Value{Op: OpScan, Args: args, Over: []*Axis{t}, To: to, Mode: Reverse.If(reverse),
		Part: part, Axes: axes})
}

// ScanParts splits the arguments of a scan.
func ScanParts(v *Value) (carries, inits, nexts []*Value) {
	m := len(v.Args) / 3
	return v.Args[:m], v.Args[m : 2*m], v.Args[2*m:]
}

// Carried is the value of carry k of a scan outside of its steps: a slice of the value of the
// scan.
func (b *Builder) Carried(scan *Value) *Value {
	off := 0
	if scan.Mode == Reverse {
		off = 1
	}
	return b.Slice(scan, scan.To, scan.Over[0], size.Const(off))
}

// Now is the entry, along t, of the current step of the scan whose first carry is given.
func (b *Builder) Now(x *Value, t *Axis, carry string) *Value {
	if !x.Has(t) {
		return x
	}
	return b.Make(Value{Op: OpNow, Args: []*Value{x}, Name: carry, Over: []*Axis{t},
		Axes: without(x.Axes, []*Axis{t})})
}

// scanAxes is the shape rule of a scan.
func scanAxes(v *Value) ([]*Axis, error) {
	m := len(v.Args) / 3
	if len(v.Args) != 3*m || m == 0 || v.Part >= m || len(v.Over) != 1 || v.To == nil {
		return nil, fmt.Errorf("needs carries, inits and nexts, a step axis and a new one")
	}
	carries, inits, nexts := ScanParts(v)
	t := v.Over[0]
	for k, c := range carries {
		if c.Op != OpCarry {
			return nil, fmt.Errorf("argument %d is no carry", k)
		}
		for _, x := range []*Value{inits[k], nexts[k]} {
			if extra := without(x.Axes, append([]*Axis{t}, c.Axes...)); len(extra) > 0 {
				return nil, fmt.Errorf("carried value %d lacks axis %s", k, axesText(extra))
			}
		}
		if inits[k].Has(t) {
			return nil, fmt.Errorf("the start of carried value %d has the step axis", k)
		}
	}
	return append([]*Axis{v.To}, without(carries[v.Part].Axes, []*Axis{t})...), nil
}

// Bound lists the leaves that a value binds: the carries of a scan, the time
// and the point of an ode.
func Bound(v *Value) []*Value {
	switch v.Op {
	case OpScan:
		return v.Args[:len(v.Args)/3]
	case OpOde:
		return v.Args[:OdeSlope]
	}
	return nil
}

// Carries lists which carries a value depends on and does not bind itself:
// those of the scans and odes whose steps it is a part of.
func Carries(values []*Value) map[*Value][]*Value {
	free := map[*Value][]*Value{}
	for _, v := range values {
		if v.Op == OpCarry {
			free[v] = []*Value{v}
			continue
		}
		own := Bound(v)
		var out []*Value
		for _, a := range v.Args {
			for _, c := range free[a] {
				if !contains(own, c) && !contains(out, c) {
					out = append(out, c)
				}
			}
		}
		if len(out) > 0 {
			free[v] = out
		}
	}
	return free
}

func contains(list []*Value, v *Value) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
