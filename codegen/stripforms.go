package codegen

import "slices"

// Instructions of a strip program become fewer, with the same bits: an instruction reads and writes
// strips in the nearest cache, so that one of two ops takes little more time than one of one.
//
//	x·y, then + z                     → OpMulAdd, and so for x·y − z and z − x·y
//	x·y, then Σ                       → OpDot; OpDot0 of a product that is 0 where x is
//	x − y, then | |, then −           → OpGap
//	e^−|x−y|, sigmoid(x − y)          → one exponential, from which OpShare makes the sigmoid
//	sigmoid x, log(1 + eˣ)            → one exponential e^−|x| for both
//	0 where x is −∞, else the share   → OpWeight

// stripReads has how many registers an op reads, where these are not two.
var stripReads = map[string]int{"OpCopy": 1, "OpNeg": 1, "OpAbs": 1, "OpSqrt": 1, "OpSum": 1,
	"OpSelect": 3, "OpMulAdd": 3, "OpMulSub": 3, "OpSubMul": 3, "OpShare": 3, "OpWeight": 3}

// reads are the registers that an instruction reads.
func (in *stripInstruction) reads() []register {
	n, ok := stripReads[in.op]
	switch {
	case ok:
	case slices.Contains(stripFunctionOps, in.op):
		n = 1
	default:
		n = 2
	}
	return in.of[:n]
}

// compose makes the program shorter.
func (p *stripProgram) compose() {
	p.shareExponentials()
	for _, rule := range []func(*defined, int){gapOf, weightOf, productOf} {
		d := p.defined()
		for i := range p.code {
			rule(d, i)
		}
		p.withoutUnread()
	}
	p.withoutUnusedNumbers()
}

// A defined program has where its scratch is written, and how often it is read.
type defined struct {
	p    *stripProgram
	at   []int // by the index of scratch
	uses []int
}

func (p *stripProgram) defined() *defined {
	d := &defined{p: p, at: make([]int, p.scratch), uses: make([]int, p.scratch)}
	for i := range p.code {
		in := &p.code[i]
		for _, r := range in.reads() {
			if r.kind == someScratch {
				d.uses[r.index]++
			}
		}
		if in.to.kind == someScratch {
			d.at[in.to.index] = i
		}
	}
	return d
}

// of returns the instruction that writes scratch, where that is the op.
func (d *defined) of(r register, op string) *stripInstruction {
	if r.kind != someScratch {
		return nil
	}
	if in := &d.p.code[d.at[r.index]]; in.op == op {
		return in
	}
	return nil
}

// only is of where nothing else reads the scratch, and instruction i may read what that one reads.
func (d *defined) only(r register, op string, i int) *stripInstruction {
	in := d.of(r, op)
	if in == nil || d.uses[r.index] != 1 || !d.p.later(in.reads(), d.at[r.index], i) {
		return nil
	}
	return in
}

// later reports whether registers are at instruction i what they are at instruction from. Arrays
// may lie in one place under two names, so that any array that is written counts.
func (p *stripProgram) later(of []register, from, i int) bool {
	isArray := func(r register) bool { return r.kind == anArray }
	return !slices.ContainsFunc(of, isArray) || !slices.ContainsFunc(p.code[from:i],
		func(in stripInstruction) bool { return isArray(in.to) })
}

// productOf puts a product into the sum that reads it.
func productOf(d *defined, i int) {
	in := &d.p.code[i]
	put := func(op string, m *stripInstruction, z register) {
		in.op, in.of = op, [3]register{m.of[0], m.of[1], z}
	}
	x, y := in.of[0], in.of[1]
	switch in.op {
	case "OpSum":
		if m := d.only(x, "OpMul", i); m != nil {
			put("OpDot", m, register{})
		} else if m := d.only(x, "OpMul0", i); m != nil {
			put("OpDot0", m, register{})
		}
	case "OpAdd":
		if m := d.only(x, "OpMul", i); m != nil {
			put("OpMulAdd", m, y)
		} else if m := d.only(y, "OpMul", i); m != nil {
			put("OpMulAdd", m, x)
		}
	case "OpSub":
		if m := d.only(x, "OpMul", i); m != nil {
			put("OpMulSub", m, y)
		} else if m := d.only(y, "OpMul", i); m != nil {
			put("OpSubMul", m, x)
		}
	}
}

// gapOf makes −|x − y| one instruction.
func gapOf(d *defined, i int) {
	in := &d.p.code[i]
	if in.op != "OpNeg" {
		return
	}
	if abs := d.of(in.of[0], "OpAbs"); abs != nil {
		if sub := d.of(abs.of[0], "OpSub"); sub != nil &&
			d.p.later(sub.reads(), d.at[abs.of[0].index], i) {
			in.op, in.of = "OpGap", sub.of
		}
	}
}

// weightOf puts the test for −∞ into a share.
func weightOf(d *defined, i int) {
	in := &d.p.code[i]
	if in.op != "OpSelect" || !d.p.is(in.of[1], "0") {
		return
	}
	share, eq := d.of(in.of[2], "OpShare"), d.of(in.of[0], "OpEq")
	if share == nil || eq == nil || !d.p.later(share.reads(), d.at[in.of[2].index], i) ||
		!d.p.later(eq.reads(), d.at[in.of[0].index], i) {
		return
	}
	x := share.of[0]
	if eq.of[0] == x && d.p.is(eq.of[1], "math.Inf(-1)") ||
		eq.of[1] == x && d.p.is(eq.of[0], "math.Inf(-1)") {
		in.op, in.of = "OpWeight", share.of
	}
}

// is reports whether a register is the number of a text.
func (p *stripProgram) is(r register, text string) bool {
	return r.kind == aNumber && p.numbers[r.index] == text
}

// A gap is a pair of registers of which e^−|x−y| is needed, and how often.
type gap struct {
	x, y  register
	users int
	e     register // once it is computed
	done  bool
}

// shareExponentials computes an exponential once that several functions need.
func (p *stripProgram) shareExponentials() {
	d := p.defined()
	var gaps []*gap
	of := make([]*gap, len(p.code))
	for i := range p.code {
		x, y, ok := d.gapAt(i)
		if !ok {
			continue
		}
		k := slices.IndexFunc(gaps, func(g *gap) bool {
			return g.x == x && g.y == y || g.x == y && g.y == x
		})
		if k < 0 {
			k = len(gaps)
			gaps = append(gaps, &gap{x: x, y: y})
		}
		of[i] = gaps[k]
		gaps[k].users++
	}
	code := p.code
	p.code = nil
	for i, in := range code {
		g := of[i]
		if g == nil || g.users < 2 {
			p.code = append(p.code, in)
			continue
		}
		if !g.done {
			g.done = true
			t := p.value()
			g.e = p.value()
			p.add("OpGap", t, [3]register{g.x, g.y})
			p.add("OpExp", g.e, [3]register{t})
		}
		x, y, _ := d.gapOfOperand(in.of[0], code)
		switch in.op {
		case "OpExp":
			p.add("OpCopy", in.to, [3]register{g.e})
		case "OpSigmoid":
			p.add("OpShare", in.to, [3]register{x, y, g.e})
		case "OpSoftplus":
			most, rest := p.value(), p.value()
			p.add("OpLarger", most, [3]register{in.of[0], p.number("0")})
			p.add("OpLog1p", rest, [3]register{g.e})
			p.add("OpAdd", in.to, [3]register{most, rest})
		}
	}
	p.withoutCopies()
	p.withoutUnread()
}

// gapAt returns x and y where an instruction needs e^−|x−y|.
func (d *defined) gapAt(i int) (x, y register, ok bool) {
	in := &d.p.code[i]
	switch in.op {
	case "OpExp":
		neg := d.of(in.of[0], "OpNeg")
		if neg == nil {
			return x, y, false
		}
		abs := d.of(neg.of[0], "OpAbs")
		if abs == nil {
			return x, y, false
		}
		sub := d.of(abs.of[0], "OpSub")
		if sub == nil || !d.p.steady(sub.reads()) {
			return x, y, false
		}
		return sub.of[0], sub.of[1], true
	case "OpSigmoid", "OpSoftplus":
		if in.of[0].kind != someScratch {
			return x, y, false
		}
		return d.gapOfOperand(in.of[0], d.p.code)
	}
	return x, y, false
}

// gapOfOperand returns x and y of an operand x − y, and the operand and 0 for another one.
func (d *defined) gapOfOperand(t register, code []stripInstruction) (x, y register, ok bool) {
	if t.kind != someScratch {
		return x, y, false
	}
	if in := code[d.at[t.index]]; in.op == "OpSub" && d.p.steady(in.reads()) {
		return in.of[0], in.of[1], true
	}
	return t, d.p.number("0"), true
}

// steady reports whether registers are no arrays, which may be overwritten.
func (p *stripProgram) steady(of []register) bool {
	return !slices.ContainsFunc(of, func(r register) bool { return r.kind == anArray })
}

// withoutCopies reads scratch that is a copy of other scratch there.
func (p *stripProgram) withoutCopies() {
	same := map[register]register{}
	p.code = slices.DeleteFunc(p.code, func(in stripInstruction) bool {
		if in.op == "OpCopy" && in.to.kind == someScratch && in.of[0].kind == someScratch {
			same[in.to] = in.of[0]
			return true
		}
		return false
	})
	for i := range p.code {
		for k, r := range p.code[i].of {
			for to, ok := same[r]; ok; to, ok = same[r] {
				r = to
			}
			p.code[i].of[k] = r
		}
	}
}

// withoutUnread takes out what writes scratch that nothing reads.
func (p *stripProgram) withoutUnread() {
	d := p.defined()
	kept := p.code[:0:0]
	for i := len(p.code) - 1; i >= 0; i-- {
		in := p.code[i]
		if in.to.kind == someScratch && d.uses[in.to.index] == 0 {
			for _, r := range in.reads() {
				if r.kind == someScratch {
					d.uses[r.index]--
				}
			}
			continue
		}
		kept = append(kept, in)
	}
	slices.Reverse(kept)
	p.code = kept
}

// withoutUnusedNumbers takes numbers out that no instruction reads.
func (p *stripProgram) withoutUnusedNumbers() {
	old := p.numbers
	p.numbers = nil
	for i := range p.code {
		in := &p.code[i]
		for k, r := range in.reads() {
			if r.kind == aNumber {
				in.of[k] = p.number(old[r.index])
			}
		}
	}
}
