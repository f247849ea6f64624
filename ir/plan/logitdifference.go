package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// logitDifference is logit for the difference of the gradients of the rows at two points,
//
//	x · w → p, x · v → q, for n { s[n] = b + p[n], t[n] = c + q[n] }, sigmoid s, sigmoid t,
//	for n { d[n] = s[n] − t[n], e[n] = −(weight[n]·d[n]) }, g += xᵀ e, weight · d
//
// or the same without b, c and weight · d.
func logitDifference(steps []Step) (k *Kernel, n int, gone []*Buffer) {
	next := func() (s Step) {
		if n < len(steps) {
			s = steps[n]
		}
		n++
		return s
	}
	var at [2]*Buffer
	var dots [2]*Kernel
	for i := range dots {
		dot := next().Kernel
		if dot == nil || dot.Name != "sparse_mul_vec" || dot.Acc || dot.Dst.Where != Temp ||
			i > 0 && dot.Args[0] != dots[0].Args[0] {
			return nil, 0, nil
		}
		dots[i], at[i] = dot, dot.Dst
		gone = append(gone, dot.Dst)
	}
	s := next()
	var bias [2]*Buffer
	if s.Loop != nil {
		if bias, at = offsets(s.Loop, at); bias[0] == nil {
			return nil, 0, nil
		}
		gone = append(gone, at[:]...)
		s = next()
	}
	for i := range at {
		if i > 0 {
			s = next()
		}
		link := s.Kernel
		if link == nil || link.Name != "sigmoid" || link.Args[0] != at[i] || link.Dst.Where != Temp {
			return nil, 0, nil
		}
		at[i] = link.Dst
		gone = append(gone, link.Dst)
	}
	weight, d, e := weighted(next().Loop, at)
	back := next().Kernel
	if e == nil || back == nil || back.Name != "sparse_mul_vecT" || !back.Acc ||
		back.Args[0] != dots[0].Args[0] || back.Args[1] != e {
		return nil, 0, nil
	}
	if d != nil {
		gone = append(gone, d)
	}
	args := []*Buffer{dots[0].Args[0], dots[0].Args[1], dots[1].Args[1], weight, e, dots[0].Dst}
	if bias[0] == nil {
		return &Kernel{Name: "sparse_logit_difference", Dst: back.Dst, Args: args, Acc: true}, n, gone
	}
	sum := next().Kernel
	if sum == nil || sum.Name != "dot" || !sum.Acc || len(sum.Dst.Axes) > 0 ||
		d == nil || !slices.Contains(sum.Args, weight) || !slices.Contains(sum.Args, d) {
		return nil, 0, nil
	}
	return &Kernel{Name: "sparse_logit_difference_sum", Dst: sum.Dst,
		Args: append(args, back.Dst, bias[0], bias[1]), Acc: true}, n, gone
}

// offsets returns the numbers that a loop adds to every entry of two arrays, and where it stores
// the sums; nil where it does anything else.
func offsets(l *Loop, x [2]*Buffer) (numbers, to [2]*Buffer) {
	if len(l.Axes) != 1 || !l.Axes[0].Rows || len(l.Body) != 2 {
		return [2]*Buffer{}, x
	}
	for i := range l.Body {
		one := &Loop{Axes: l.Axes, Body: l.Body[i : i+1]}
		if numbers[i], to[i] = offset(one, x[i]); numbers[i] == nil {
			return [2]*Buffer{}, x
		}
	}
	return numbers, to
}

// weighted returns the weights of a loop that subtracts the entries of two arrays, where it stores
// the differences, if it does, and where the weights times these, negated; nil where it does
// anything else.
func weighted(l *Loop, x [2]*Buffer) (weight, d, e *Buffer) {
	if l == nil || len(l.Axes) != 1 || !l.Axes[0].Rows || len(l.Body) != 3 {
		return nil, nil, nil
	}
	sub, mul, neg := &l.Body[0], &l.Body[1], &l.Body[2]
	if sub.Op != ir.OpSub || mul.Op != ir.OpMul || neg.Op != ir.OpNeg || len(mul.Stores) > 0 ||
		sub.When != Always || mul.When != Always || neg.When != Always ||
		!result(neg.Args[0], 1) {
		return nil, nil, nil
	}
	for i, a := range sub.Args {
		if !walks(a, l.Axes) || a.Buf != x[i] {
			return nil, nil, nil
		}
	}
	for i, a := range mul.Args {
		if walks(a, l.Axes) && result(mul.Args[1-i], 0) {
			weight = a.Buf
		}
	}
	if weight == nil {
		return nil, nil, nil
	}
	if len(sub.Stores) > 0 {
		if d = stored(sub, l); d == nil {
			return nil, nil, nil
		}
	}
	return weight, d, stored(neg, l)
}

// result reports whether an operand is the result of an instruction of the loop.
func result(o Operand, of int) bool { return o.Kind == Local && o.Local == of }
