package codegen

import (
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// Steps over the same entries, one after another, become one call of kernel.Loop: loops of
// arithmetic, functions of every entry, log-sum-exps of two arrays, and sums. A strip of entries
// goes through all of them while it is in the nearest cache, and arrays that only these steps read
// are not written at all. An entry depends on entries at the same place alone, and a sum has its
// lanes from strip to strip, so that the order of the strips changes nothing.

// stripFunctions are the kernels of every entry that kernel.Loop has.
var stripFunctions = map[string]string{"exp": "OpExp", "expm1": "OpExpm1", "log": "OpLog",
	"log1p": "OpLog1p", "tanh": "OpTanh", "sigmoid": "OpSigmoid", "log_sigmoid": "OpLogSigmoid",
	"log1p_exp": "OpSoftplus", "log_normal_cdf": "OpLogNormalCDF"}

// stripFunctionOps are their names in package kernel.
var stripFunctionOps = slices.Sorted(maps.Values(stripFunctions))

// mostFused is how many steps a call does at most.
const mostFused = 32

// A fusion is a run of steps that one call does.
type fusion struct {
	m      *method
	extent string                 // the number of entries
	inside map[*plan.Buffer]bool  // what only the run reads
	pairs  map[*plan.Buffer]*pair // of log-sum-exps
	values map[*plan.Buffer]register
	// wrote and apart have what the run writes, and what it reads at other places.
	wrote, apart []*plan.Buffer
	sums         []*plan.Kernel
}

// A pair is an array whose last axis has two entries, each written by a loop, and which a
// log-sum-exp reads.
type pair struct{ of [2]register }

// fused prints the longest run at the beginning of the steps that one call of kernel.Loop does, and
// returns how many steps that are; 0 where no call pays. Of the steps of turns a run has sums
// alone: the call is before the turn.
func (m *method) fused(steps []plan.Step, turns []turn) (int, error) {
	if m.f.p.Single || len(m.now) > 0 {
		return 0, nil
	}
	steps = steps[:min(len(steps), mostFused)]
	u := &fusion{m: m, pairs: pairsOf(m, steps)}
	n := 0
	inTurn := func(t turn) bool { return t.From <= n && n < t.To }
	for n < len(steps) && u.takes(steps[n]) &&
		(steps[n].Loop == nil && sums(steps[n].Kernel) || !slices.ContainsFunc(turns, inTurn)) {
		n++
	}
	for ; n > 0; n-- {
		if !u.closed(steps[:n]) {
			continue
		}
		if done, err := u.print(steps[:n], turns); done || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// pairsOf are the arrays among the steps that may be pairs.
func pairsOf(m *method, steps []plan.Step) map[*plan.Buffer]*pair {
	out := map[*plan.Buffer]*pair{}
	for _, s := range steps {
		k := s.Kernel
		if k == nil || k.Name != "log_sum_exp" || k.Acc || len(k.Outer) == 0 || len(k.Inner) > 0 ||
			len(k.Along) != 1 {
			continue
		}
		b := k.Args[0]
		size, known := k.Along[0].Size.Number()
		if known && size == 2 && b.Where == plan.Temp && m.f.reads[b] == 1 && len(b.Axes) > 1 &&
			b.Axes[len(b.Axes)-1] == k.Along[0] {
			out[b] = &pair{}
		}
	}
	return out
}

// takes reports whether a run may go on with a step.
func (u *fusion) takes(s plan.Step) bool {
	switch {
	case s.Kernel != nil:
		return u.takesKernel(s.Kernel)
	case s.Loop != nil:
		return u.takesLoop(s.Loop)
	}
	return false
}

func (u *fusion) takesKernel(k *plan.Kernel) bool {
	if sums(k) {
		for _, a := range k.Args {
			if len(a.Axes) == 0 || a.Sparse || !u.long(a.Axes) {
				return false
			}
		}
		u.wrote = append(u.wrote, k.Dst)
		return true
	}
	if k.Acc || len(k.Dst.Axes) == 0 || !u.long(k.Dst.Axes) || u.clashes(k.Dst) {
		return false
	}
	if _, ok := stripFunctions[k.Name]; ok {
		if u.m.extent(k.Args[0].Axes).text != u.extent {
			return false
		}
	} else if k.Name != "log_sum_exp" || u.pairs[k.Args[0]] == nil {
		return false
	}
	u.wrote = append(u.wrote, k.Dst)
	return true
}

// sums reports whether a kernel is a sum, or a sum of products, of all entries.
func sums(k *plan.Kernel) bool {
	return len(k.Dst.Axes) == 0 && (k.Name == "sum" || k.Name == "dot" && len(k.Batch) == 0)
}

func (u *fusion) takesLoop(l *plan.Loop) bool {
	n := u.m.newNest(l.Axes, l.Body)
	if len(n.groups) != 1 || !u.long(l.Axes) {
		return false
	}
	plain := make([]plan.Instr, 0, len(l.Body)) // without what is written to pairs
	var wrote, apart []*plan.Buffer
	for _, in := range l.Body {
		for _, o := range in.Args {
			if o.Kind != plan.Load || o.Buf.Sparse || walks(o.Buf, o.At, l.Axes) {
				continue
			}
			if u.pairs[o.Buf] != nil || slices.ContainsFunc(u.wrote, func(b *plan.Buffer) bool {
				return sameMemory(b, o.Buf)
			}) {
				return false
			}
			apart = append(apart, o.Buf)
		}
		in.Stores = slices.DeleteFunc(slices.Clone(in.Stores), func(s plan.Store) bool {
			return u.half(s, l.Axes) >= 0
		})
		for _, s := range in.Stores {
			if u.pairs[s.Buf] != nil || !walks(s.Buf, storeAt(s), l.Axes) {
				return false
			}
			wrote = append(wrote, s.Buf)
		}
		plain = append(plain, in)
	}
	if !arithmetic(n, plain) {
		return false
	}
	before := len(u.apart)
	u.apart = append(u.apart, apart...)
	if slices.ContainsFunc(wrote, u.clashes) {
		u.apart = u.apart[:before]
		return false
	}
	u.wrote = append(u.wrote, wrote...)
	return true
}

// long reports whether axes have the run's entries, enough of them where that is known. The first
// axes are the run's.
func (u *fusion) long(axes []*ir.Axis) bool {
	e := u.m.extent(axes).text
	if u.extent == "" {
		if k, known := entries(axes); known && k < kernel.LeastEntries {
			return false
		}
		u.extent = e
	}
	return e == u.extent
}

// entries returns the number of entries along axes, where it is known.
func entries(axes []*ir.Axis) (int, bool) {
	total := 1
	for _, a := range axes {
		k, known := a.Size.Number()
		if a.Rows || !known {
			return 0, false
		}
		total *= k
	}
	return total, true
}

// clashes reports whether the run reads other places of what lies where a buffer does.
func (u *fusion) clashes(b *plan.Buffer) bool {
	return slices.ContainsFunc(u.apart, func(a *plan.Buffer) bool { return sameMemory(a, b) })
}

// half returns which half of a pair is written; -1 for another store.
func (u *fusion) half(s plan.Store, axes []*ir.Axis) int {
	if u.pairs[s.Buf] == nil || len(s.At) != len(axes)+1 {
		return -1
	}
	last := s.At[len(axes)]
	k, known := last.Off.Number()
	if last.Axis != nil || last.From != nil || !known || k < 0 || k > 1 {
		return -1
	}
	for i, x := range s.At[:len(axes)] {
		if x.Axis != axes[i] || x.From != nil || x.Clamp || x.Neg || len(x.Off.Terms) > 0 ||
			!sameLength(s.Buf.Axes[i], axes[i]) {
			return -1
		}
	}
	return k
}

// closed reports whether the run has all that touches its pairs, and finds what only it reads.
func (u *fusion) closed(steps []plan.Step) bool {
	reads, writes := map[*plan.Buffer]int{}, map[*plan.Buffer]int{}
	loops := false
	for _, s := range steps {
		loops = loops || s.Loop != nil
		visit(s, func(b *plan.Buffer, read bool) {
			if read {
				reads[b]++
			} else {
				writes[b]++
			}
		})
	}
	u.inside = map[*plan.Buffer]bool{}
	for b, n := range writes {
		if p := u.pairs[b]; p != nil {
			if n != 2 || reads[b] != 1 {
				return false
			}
			u.inside[b] = true
			continue
		}
		u.inside[b] = b.Where == plan.Temp && !b.Acc && b.Shares == nil && len(b.Axes) > 0 &&
			reads[b] > 0 && reads[b] == u.m.f.reads[b] && !u.m.f.again[b]
	}
	for b := range reads {
		if u.pairs[b] != nil && writes[b] != 2 {
			return false
		}
	}
	return loops
}

// holds reports whether a buffer is inside the run.
func (u *fusion) holds(b *plan.Buffer) bool { return u != nil && u.inside[b] }

// keep notes the register of a buffer inside.
func (u *fusion) keep(s plan.Store, r register) {
	if p := u.pairs[s.Buf]; p != nil {
		k, _ := s.At[len(s.At)-1].Off.Number()
		p.of[k] = r
		return
	}
	u.values[s.Buf] = r
}

// print prints the steps as one call, and as they are for few entries. It reports whether it did.
func (u *fusion) print(steps []plan.Step, turns []turn) (bool, error) {
	m := u.m
	u.values, u.sums = map[*plan.Buffer]register{}, nil
	p := &stripProgram{fused: u}
	known := maps.Clone(m.known)
	before, length := "", 0
	for _, s := range steps {
		ok := false
		if s.Loop != nil {
			n := m.newNest(s.Loop.Axes, s.Loop.Body)
			ok = p.loop(n, s.Loop.Body)
			before += n.before[0].String()
			if k, is := n.constant(); is {
				length = k
			}
		} else {
			ok = p.function(s.Kernel)
		}
		if !ok {
			m.known = known
			return false, nil
		}
	}
	call := p.call()
	if call == "" {
		m.known = known
		return false, nil
	}
	for _, s := range steps {
		m.source(s)
	}
	m.body.WriteString(before)
	if length > 0 {
		return true, u.withSums(call, steps, turns)
	}
	for _, k := range u.sums {
		if m.f.reads[k.Dst] > 0 && k.Dst.Where == plan.Temp && !m.f.scalarField(k.Dst) {
			m.written[k.Dst] = true
			m.printf("var %s float64", m.number(k.Dst))
		}
	}
	m.printf("if %s >= kernel.LeastEntries {", u.extent)
	if err := u.withSums(call, steps, turns); err != nil {
		return false, err
	}
	m.printf("} else {")
	known = maps.Clone(m.known)
	err := m.eachStep(steps, turns, func(s plan.Step) error {
		if s.Kernel != nil {
			return m.kernel(s.Kernel)
		}
		return m.loop(s.Loop)
	})
	m.known = known
	m.printf("}")
	return true, err
}

// withSums prints the call, and then what it gives to sums.
func (u *fusion) withSums(call string, steps []plan.Step, turns []turn) error {
	m := u.m
	name, k := "", 0
	if len(u.sums) > 0 {
		name = newScope(m.names).fresh("sums")
		m.printf("var %s [%d]float64", name, len(u.sums))
		call = strings.Replace(call, sumsPlace, name+"[:]", 1)
	}
	m.body.WriteString(call)
	return m.eachStep(steps, turns, func(s plan.Step) error {
		if s.Kernel != nil && sums(s.Kernel) {
			m.assign(s.Kernel.Dst, primary("%s[%d]", name, k), s.Kernel.Acc)
			k++
		}
		return nil
	})
}

// function adds a function of every entry, or the log-sum-exp of a pair: with m the larger of x and
// y, that is m + log(1 + exp(-|x - y|)).
func (p *stripProgram) function(k *plan.Kernel) bool {
	u := p.fused
	if sums(k) {
		return p.sum(k)
	}
	p.ops += 2
	op, each := stripFunctions[k.Name]
	from, ok := register{}, true
	if each {
		from, ok = p.whole(k.Args[0])
	}
	to := register{anArray, 0}
	if u.holds(k.Dst) {
		to = p.value()
		u.values[k.Dst] = to
	} else {
		to.index = slotOf(&p.arrays, u.m.array(k.Dst))
	}
	if each {
		p.add(op, to, [3]register{from})
		return ok
	}
	x := u.pairs[k.Args[0]].of
	do := func(op string, of ...register) register {
		r := p.value()
		p.add(op, r, [3]register(append(of, register{}, register{})[:3]))
		return r
	}
	most := do("OpLarger", x[0], x[1])
	e := do("OpExp", do("OpNeg", do("OpAbs", do("OpSub", x[0], x[1]))))
	e = do("OpLog", do("OpAdd", p.number("1"), e))
	p.add("OpAddFinite", to, [3]register{most, e})
	return true
}

// whole is the register of an array.
func (p *stripProgram) whole(b *plan.Buffer) (register, bool) {
	if p.fused.holds(b) {
		r, ok := p.fused.values[b]
		return r, ok
	}
	return register{anArray, slotOf(&p.arrays, p.fused.m.array(b))}, true
}

// sum adds a sum, or a sum of products.
func (p *stripProgram) sum(k *plan.Kernel) bool {
	u, op := p.fused, "OpSum"
	if k.Name == "dot" {
		op = "OpDot"
	}
	var of [3]register
	for i, a := range k.Args {
		r, ok := p.whole(a)
		if !ok {
			return false
		}
		of[i] = r
	}
	p.ops++
	p.add(op, register{aSum, len(u.sums)}, of)
	u.sums = append(u.sums, k)
	return true
}
