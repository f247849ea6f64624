package main

import "fmt"

// A step is one pass over the coordinates of a sampler: arrays that it reads
// and writes, numbers for all of them, and what becomes of an entry.
type step struct {
	name, doc string
	arrays    []string
	numbers   []string
	body      func(s *stepWriter)
}

// joins are passes of samplers over the end of a step and the beginning of the
// next. Where a vector has a coordinate that they leave to Go they stop before
// it, and return how many they did. Each has a form that draws: it takes whole
// rounds of normals and writes as many more, for the next piece, so that the
// two are computed side by side.
var joins = []step{
	{"thermostatJoin", "v = (v + (grad·to + sd·u))·e, x += ta·v, ξ += (v² - temp)·tt; x += " +
		"ta2·v, ξ += (v² - temp)·tt2, e = exp(ξ·minus), v = v·e",
		[]string{"x", "v", "grad", "u", "xi", "e"},
		[]string{"to", "sd", "ta", "tt", "temp", "ta2", "tt2", "minus"}, func(s *stepWriter) {
			if s.half {
				s.thermostatJoin(87, s.end, (*program).exp32)
			} else {
				s.thermostatJoin(708, s.end, (*program).exp)
			}
		}},
	{"dampJoin", "v = (v + (grad·to + sd·u))·e, x += ta·v; x += ta2·v, v = v·e2",
		[]string{"x", "v", "grad", "u"}, []string{"to", "sd", "e", "ta", "ta2", "e2"},
		func(s *stepWriter) {
			p := s.mul(s.kicked(), s.number("e"))
			x := s.moved(p, "ta")
			s.finite(s.add(s.mul(x, s.num(0)), s.mul(p, s.num(0))))
			s.write("x", s.muladd(p, s.number("ta2"), x))
			s.write("v", s.mul(p, s.number("e2")))
		}},
	{"langevinJoin", "x += grad·t + sd·u",
		[]string{"x", "grad", "u"}, []string{"t", "sd"}, func(s *stepWriter) {
			x := s.kick("x", "t")
			s.finite(s.mul(x, s.num(0)))
			s.write("x", x)
		}},
	{"preconditionedJoin", "q = keep·q + add·(grad·inv)², p = 1/(lambda + √q), x += p·(grad·t) + " +
		"(sd·√p)·u",
		[]string{"x", "grad", "u", "q"}, []string{"t", "sd", "keep", "add", "inv", "lambda"},
		func(s *stepWriter) {
			g := s.read("grad")
			m := s.mul(g, s.number("inv"))
			q := s.add(s.mul(s.read("q"), s.number("keep")), s.mul(s.mul(m, m), s.number("add")))
			p := s.div(s.num(1), s.add(s.sqrt(q), s.number("lambda")))
			x := s.add(s.read("x"),
				s.add(s.mul(p, s.mul(g, s.number("t"))),
					s.mul(s.mul(s.sqrt(p), s.number("sd")), s.read("u"))))
			s.finite(s.mul(x, s.num(0)))
			s.write("x", x)
			s.write("q", q)
		}},
}

// watches are passes of statistics, in double precision.
var watches = []step{
	{"watchPair", "u = -grad, dx = x - mx, mx += dx·inv, mg += (u - mg)·inv, xg += dx·(u - mg), " +
		"t = (x - mx)·u",
		[]string{"x", "grad", "mx", "mg", "xg", "t"}, []string{"inv"}, func(s *stepWriter) {
			x, mx, mg := s.read("x"), s.read("mx"), s.read("mg")
			u, inv := s.xor(s.read("grad"), s.sign()), s.number("inv")
			dx := s.sub(x, mx)
			m := s.add(mx, s.mul(dx, inv))
			g := s.add(mg, s.mul(s.sub(u, mg), inv))
			s.write("mx", m)
			s.write("mg", g)
			s.write("xg", s.add(s.read("xg"), s.mul(dx, s.sub(u, g))))
			s.write("t", s.mul(s.sub(x, m), u))
		}},
	{"watch", "d = x - mean, mean += d·inv, ss += d·(x - mean), t = (x - mean)²",
		[]string{"x", "mean", "ss", "t"}, []string{"inv"}, func(s *stepWriter) {
			x, mean := s.read("x"), s.read("mean")
			d := s.sub(x, mean)
			m := s.add(mean, s.mul(d, s.number("inv")))
			e := s.sub(x, m)
			s.write("mean", m)
			s.write("ss", s.add(s.read("ss"), s.mul(d, e)))
			s.write("t", s.mul(e, e))
		}},
	{"watchSquares", "xx += (x - mean)²·scale",
		[]string{"x", "mean", "xx"}, []string{"scale"}, func(s *stepWriter) {
			d := s.sub(s.read("x"), s.read("mean"))
			s.write("xx", s.add(s.read("xx"), s.mul(s.mul(d, d), s.number("scale"))))
		}},
}

// nearZero is the body of a step join of thermostats for exponentials of small
// numbers, of which most are.
func nearZero(s *stepWriter) { s.thermostatJoin(nearLimit, s.other, (*program).nearExp) }

// thermostatJoin jumps to a label where an exponent is not below the limit, or v
// or ξ not finite: v² is in ξ, and ξ in the exponent. x is finite where the last
// step join left it so and v² is.
func (s *stepWriter) thermostatJoin(
	limit float64, otherwise string, exp func(p *program, x val) val,
) {
	p := s.mul(s.kicked(), s.read("e"))
	warm := s.warmth(p)
	var x, last, xi val
	if s.steady && !s.half {
		way, change := s.mul(p, s.number("ta")), s.mul(warm, s.number("tt"))
		x = s.add(s.read("x"), way)
		last = s.add(x, way)
		xi = s.add(s.add(s.read("xi"), change), change)
	} else {
		x = s.moved(p, "ta")
		last = s.muladd(p, s.number("ta2"), x)
		xi = s.muladd(warm, s.number("tt2"), s.muladd(warm, s.number("tt"), s.read("xi")))
	}
	a := s.mul(xi, s.number("minus"))
	s.unless(s.compare(s.abs(a), lt, s.num(limit)), otherwise)
	s.write("x", last)
	s.write("xi", xi)
	e := exp(s.program, a)
	s.write("e", e)
	s.write("v", s.mul(p, e))
}

// thermostatPair is thermostatJoin of two vectors for steps of one size and
// exponentials of small numbers, with one test for both.
func thermostatPair(a, b *stepWriter) {
	type moved struct{ p, x, xi, exponent, terms val }
	move := func(s *stepWriter) moved {
		p := s.mul(s.kicked(), s.read("e"))
		way, change := s.mul(p, s.number("ta")), s.mul(s.warmth(p), s.number("tt"))
		x := s.add(s.add(s.read("x"), way), way)
		xi := s.add(s.add(s.read("xi"), change), change)
		e := s.mul(xi, s.number("minus"))
		return moved{p, x, xi, e, s.nearTerms(e)}
	}
	m, n := move(a), move(b)
	p := a.program
	// A word of either that differs from the zeroth in more than the lowest bits.
	differs := p.over(m.terms, "VPTERNLOGQ", "$0x7e", p.bits(nearZeroth), n.terms)
	bad := p.make(mask, "VPTESTMQ", p.bits(1<<64-16), differs)
	p.raw("KORTESTB", bad, bad)
	p.raw("JNE", a.end)
	for _, w := range []struct {
		*stepWriter
		moved
	}{{a, m}, {b, n}} {
		w.write("x", w.x)
		w.write("xi", w.xi)
		e := w.nearExpOf(w.exponent, w.terms)
		w.write("e", e)
		w.write("v", w.mul(w.moved.p, e))
	}
}

// finite stops where zero, a sum of products with 0, is not 0.
func (s *stepWriter) finite(zero val) {
	s.unless(s.compare(s.abs(zero), lt, s.num(1)), s.end)
}

var steps = []step{
	{"driftThermostat", "x += ta·v, ξ += (v² - temp)·tt, e = -(ξ·tb)",
		[]string{"x", "v", "xi", "e"}, []string{"ta", "tt", "tb", "temp"}, func(s *stepWriter) {
			p := s.read("v")
			s.write("x", s.moved(p, "ta"))
			z := s.muladd(s.warmth(p), s.number("tt"), s.read("xi"))
			s.write("xi", z)
			s.write("e", s.xor(s.mul(z, s.number("tb")), s.sign()))
		}},
	{"kickDriftThermostat", "v = (v + (grad·to + sd·u))·e, x += ta·v, ξ += (v² - temp)·tt",
		[]string{"x", "v", "grad", "u", "xi", "e"}, []string{"to", "sd", "ta", "tt", "temp"},
		func(s *stepWriter) {
			p := s.mul(s.kicked(), s.read("e"))
			s.write("v", p)
			s.write("x", s.moved(p, "ta"))
			s.write("xi", s.muladd(s.warmth(p), s.number("tt"), s.read("xi")))
		}},
	{"kickDrift", "v = (v + (grad·to + sd·u))·e, x += ta·v",
		[]string{"x", "v", "grad", "u"}, []string{"to", "sd", "e", "ta"}, func(s *stepWriter) {
			p := s.mul(s.kicked(), s.number("e"))
			s.write("v", p)
			s.write("x", s.moved(p, "ta"))
		}},
	{"driftDamp", "x += ta·v, v = v·e",
		[]string{"x", "v"}, []string{"ta", "e"}, func(s *stepWriter) {
			p := s.read("v")
			s.write("x", s.moved(p, "ta"))
			s.write("v", s.mul(p, s.number("e")))
		}},
	{"langevin", "x += grad·t + sd·u",
		[]string{"x", "grad", "u"}, []string{"t", "sd"}, func(s *stepWriter) {
			s.write("x", s.kick("x", "t"))
		}},
	{"multiply", "x = x·y",
		[]string{"x", "y"}, nil,
		func(s *stepWriter) { s.write("x", s.mul(s.read("x"), s.read("y"))) }},
}

// kicked is v + (grad·to + sd·u).
func (s *stepWriter) kicked() val { return s.kick("v", "to") }

func (s *stepWriter) kick(array, time string) val {
	if s.half {
		return s.fma(s.read("grad"), s.number(time),
			s.fma(s.read("u"), s.number("sd"), s.read(array)))
	}
	return s.add(s.read(array),
		s.add(s.mul(s.read("grad"), s.number(time)), s.mul(s.read("u"), s.number("sd"))))
}

// muladd is x·y + z, in single precision rounded once.
func (s *stepWriter) muladd(x, y, z val) val {
	if s.half {
		return s.fma(x, y, z)
	}
	return s.add(z, s.mul(x, y))
}

// moved is x + time·p, warmth v² - temp.
func (s *stepWriter) moved(p val, time string) val {
	return s.muladd(p, s.number(time), s.read("x"))
}

func (s *stepWriter) warmth(p val) val {
	if s.half {
		return s.fms(p, p, s.number("temp"))
	}
	return s.sub(s.mul(p, p), s.number("temp"))
}

// A stepWriter is the program for one vector of a step.
type stepWriter struct {
	*program
	of    step
	io    float
	short bool
	// steady: the times before the next gradient are those after this one, so that
	// they have their products in common
	steady bool
	skip   int    // how many coordinates after DX
	end    string // where to go with a vector for Go
	other  string // with one for the general form
}

// the last is that of the table, too
var stepRegisters = []string{"DI", "SI", "R8", "R9", "BX", "R13", "AX", "R12"}

func (s *stepWriter) at(array string) string {
	for i, a := range s.of.arrays {
		if a == array {
			if s.skip > 0 {
				return fmt.Sprintf("%d(%s)(DX*%d)", s.skip*s.io.bytes, stepRegisters[i], s.io.bytes)
			}
			return fmt.Sprintf("(%s)(DX*%d)", stepRegisters[i], s.io.bytes)
		}
	}
	panic("no array " + array)
}

func (s *stepWriter) read(array string) val {
	switch {
	case !s.short:
		return s.make(vector, "VMOVU"+s.io.packed, s.at(array))
	case s.wide():
		return s.make(vector, "VMOVU"+s.io.packed+".Z", s.at(array), "K7")
	}
	return s.make(vector, "VMASKMOV"+s.io.packed, s.at(array), s.make(vector, "VMOVUPD", "(R11)"))
}

func (s *stepWriter) write(array string, v val) {
	switch {
	case !s.short:
		s.raw("VMOVU"+s.io.packed, v, s.at(array))
	case s.wide():
		s.raw("VMOVU"+s.io.packed, v, "K7", s.at(array))
	default:
		s.raw("VMASKMOV"+s.io.packed, v, s.make(vector, "VMOVUPD", "(R11)"), s.at(array))
	}
}

func (s *stepWriter) number(name string) val {
	for i, n := range s.of.numbers {
		if n == name && s.held > 0 {
			return val{-1, fmt.Sprintf("Z%d", 31-i)}
		}
		if n == name {
			return s.make(vector, "VBROADCAST"+s.io.scalar, fmt.Sprintf("%d(R14)", i*s.io.bytes))
		}
	}
	panic("no number " + name)
}

func (s *stepWriter) sign() val {
	if s.half {
		return s.bits(1 << 31)
	}
	return s.bits(signBit)
}
