package ir

import "errors"

// Ops of this file: what chains of discrete values are made of, a draw of one
// category and a count that changes by one. Both are functions of the array along Over.
var OpCategory, OpAddAt *Op

func init() {
	OpCategory = row(Op{Name: "category", Class: Structured, Arity: 2,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.Category(args[0], args[1], v.Over[0])
		},
		Shape:     categoryAxes,
		Reference: (*evaluator).category,
		Doc: "args w, u: the first k along Over with w[0] + … + w[k] > u Σ w, at most the " +
			"last of positive weight; a number of [0, 1) makes it a draw",
		NoGradient: "a draw"})
	OpAddAt = row(Op{Name: "add_at", Class: Structured, Arity: 3,
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.AddAt(args[0], args[1], args[2], v.Over[0])
		},
		Shape:     categoryAxes,
		Reference: (*evaluator).category,
		Doc: "args x, i, c: x with c added to its entry i along Over, to none where i is " +
			"no place there",
		NoGradient: "it is made in chains, of which no gradient is taken"})
}

// Category is a draw by inversion along an axis, with the number u of [0, 1) and
// the weights w, for every entry of the other axes.
func (b *Builder) Category(w, u *Value, along *Axis) *Value {
	w = b.Spread(w, along)
	return b.Make(Value{Op: OpCategory, Args: []*Value{w, u}, Over: []*Axis{along},
		Axes: without(union(w.Axes, u.Axes), []*Axis{along})})
}

// AddAt is x with c added at entry i along an axis.
func (b *Builder) AddAt(x, i, c *Value, along *Axis) *Value {
	x = b.Spread(x, along)
	return b.Make(Value{Op: OpAddAt, Args: []*Value{x, i, c}, Over: []*Axis{along},
		Axes: union(union(x.Axes, i.Axes), c.Axes)})
}

var errAlong = errors.New("works along an axis that the first argument has, and no other")

// categoryAxes is the shape rule of both.
func categoryAxes(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) != 1 || !v.Args[0].Has(v.Over[0]) {
		return nil, errAlong
	}
	for _, a := range v.Args[1:] {
		if a.Has(v.Over[0]) {
			return nil, errAlong
		}
	}
	if v.Op == OpCategory {
		return without(all, v.Over), nil
	}
	return all, nil
}

// category is the reference semantics of both.
func (e *evaluator) category(v *Value, args []Array) Array {
	k := v.Over[0]
	if v.Op == OpAddAt {
		return e.fill(v.Axes, func(at index) float64 {
			x := args[0].get(at)
			if args[1].get(at) == float64(at[k]) {
				x += args[2].get(at)
			}
			return x
		})
	}
	return e.fill(v.Axes, func(at index) float64 {
		to, total, sum, last := copyIndex(at), 0.0, 0.0, 0
		n := e.length(k)
		for c := range n {
			to[k] = c
			total += args[0].get(to)
		}
		for c := range n {
			to[k] = c
			w := args[0].get(to)
			if sum += w; sum > args[1].get(at)*total {
				return float64(c)
			}
			if w > 0 {
				last = c
			}
		}
		return float64(last)
	})
}
