package plan

import "github.com/sgppl/sgppl/ir"

// logistic replaces the steps of a logistic regression on sparse rows by one kernel, which reads
// every row once while it is in the cache:
//
//	x · w → p, for n { t[n] = b + p[n] }, sigmoid t, for n { d[n] = y[n] − t[n] },
//	g += xᵀ d, Σ d
//
// or the same without b and Σ d. So it does with the steps of the difference at an anchor, see
// logitDifference. The kernels give the same bits as the steps.
func (p *Program) logistic(steps []Step) []Step {
	var out []Step
next:
	for len(steps) > 0 {
		for _, match := range []func([]Step) (*Kernel, int, []*Buffer){logit, logitDifference} {
			if k, n, gone := match(steps); k != nil && p.alone(gone, steps[:n]) {
				out = append(out, Step{Kernel: k})
				steps = steps[n:]
				continue next
			}
		}
		out = append(out, steps[0])
		steps = steps[1:]
	}
	return out
}

// logit returns the kernel for the steps at the beginning of a list, how many they are, and the
// buffers that it does not write; nil where they are others.
func logit(steps []Step) (k *Kernel, n int, gone []*Buffer) {
	next := func() (s Step) {
		if n < len(steps) {
			s = steps[n]
		}
		n++
		return s
	}
	dot := next().Kernel
	if dot == nil || dot.Name != "sparse_mul_vec" || dot.Acc || dot.Dst.Where != Temp {
		return nil, 0, nil
	}
	at := dot.Dst
	gone = []*Buffer{at}
	s := next()
	bias, to := offset(s.Loop, at)
	if bias != nil {
		at, gone = to, append(gone, to)
		s = next()
	}
	link := s.Kernel
	if link == nil || link.Name != "sigmoid" || link.Args[0] != at || link.Dst.Where != Temp {
		return nil, 0, nil
	}
	gone = append(gone, link.Dst)
	label, d := residual(next().Loop, link.Dst)
	back := next().Kernel
	if d == nil || back == nil || back.Name != "sparse_mul_vecT" || !back.Acc ||
		back.Args[0] != dot.Args[0] || back.Args[1] != d {
		return nil, 0, nil
	}
	args := []*Buffer{dot.Args[0], dot.Args[1], label, d}
	if bias == nil {
		return &Kernel{Name: "sparse_logit", Dst: back.Dst, Args: args, Acc: true}, n, gone
	}
	sum := next().Kernel
	if sum == nil || sum.Name != "sum" || !sum.Acc || sum.Args[0] != d || len(sum.Dst.Axes) > 0 {
		return nil, 0, nil
	}
	return &Kernel{Name: "sparse_logit_sum", Dst: sum.Dst, Args: append(args, back.Dst, bias),
		Acc: true}, n, gone
}

// only returns the single instruction of a loop over rows alone, and the temporary that it writes.
func only(l *Loop, op *ir.Op) (*Instr, *Buffer) {
	if l == nil || len(l.Axes) != 1 || !l.Axes[0].Rows || len(l.Body) != 1 {
		return nil, nil
	}
	in := &l.Body[0]
	if to := stored(in, l); in.Op == op && to != nil {
		return in, to
	}
	return nil, nil
}

// stored is the temporary that an instruction of a loop writes, entry by entry; nil where it writes
// none, or others.
func stored(in *Instr, l *Loop) *Buffer {
	if len(in.Stores) != 1 || in.Stores[0].At != nil || in.Stores[0].Buf.Where != Temp ||
		!equal(in.Stores[0].Buf.Axes, l.Axes) {
		return nil
	}
	return in.Stores[0].Buf
}

// offset returns the number that a loop adds to every entry of x, and where it stores the sums.
func offset(l *Loop, x *Buffer) (number, to *Buffer) {
	in, to := only(l, ir.OpAdd)
	if in == nil {
		return nil, nil
	}
	for i, a := range in.Args {
		b := in.Args[1-i]
		if walks(a, l.Axes) && a.Buf == x && b.Kind == Load && len(b.Buf.Axes) == 0 {
			return b.Buf, to
		}
	}
	return nil, nil
}

// residual returns the array that a loop subtracts s from, and where it stores the differences.
func residual(l *Loop, s *Buffer) (label, to *Buffer) {
	in, to := only(l, ir.OpSub)
	if in == nil || !walks(in.Args[0], l.Axes) || !walks(in.Args[1], l.Axes) ||
		in.Args[1].Buf != s || in.Args[0].Buf == s {
		return nil, nil
	}
	return in.Args[0].Buf, to
}

// alone reports whether no other steps than these touch the buffers.
func (p *Program) alone(gone []*Buffer, steps []Step) bool {
	for _, b := range gone {
		uses := 0
		for _, all := range p.Steps {
			for _, s := range all {
				if r, w := s.touches(b); r || w {
					uses++
				}
			}
		}
		for _, s := range steps {
			if r, w := s.touches(b); r || w {
				uses--
			}
		}
		if uses != 0 {
			return false
		}
	}
	return true
}
