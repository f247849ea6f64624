package main

// optimizers are the passes of package optimize.
var optimizers = []step{
	{"santaDrift", "x += (metric·p)·half, ξ += (p² - temp)·rate, e = -(ξ·half)",
		[]string{"x", "p", "xi", "metric", "e"}, []string{"half", "temp", "rate"}, func(s *stepWriter) {
			p := s.read("p")
			s.write("x", s.add(s.read("x"), s.mul(s.mul(s.read("metric"), p), s.number("half"))))
			z := s.warmed(p)
			s.write("e", s.xor(s.mul(z, s.number("half")), s.sign()))
		}},
	{"santaKick", "q = keep·q + add·(grad·inv)², metric = 1/√(lambda + √q), p = (p·e + " +
		"((metric·grad)·h + sd·u))·e, x += (metric·p)·half, ξ += (p² - temp)·rate",
		[]string{"x", "p", "grad", "u", "xi", "q", "metric", "e"},
		[]string{"h", "sd", "half", "temp", "rate", "keep", "add", "inv", "lambda"}, func(s *stepWriter) {
			f := s.read("grad")
			a := s.metric(f)
			s.write("metric", a)
			e := s.read("e")
			p := s.add(s.mul(s.read("p"), e),
				s.add(s.mul(s.mul(a, f), s.number("h")), s.mul(s.read("u"), s.number("sd"))))
			p = s.mul(p, e)
			s.write("p", p)
			s.write("x", s.add(s.read("x"), s.mul(s.mul(a, p), s.number("half"))))
			s.warmed(p)
		}},
	{"santaEuler", "q = keep·q + add·(grad·inv)², metric = 1/√(lambda + √q), ξ += (p² - " +
		"temp)·rate, p = (p - (ξ·p)·h) + ((metric·grad)·h + sd·u), x += (metric·p)·h",
		[]string{"x", "p", "grad", "u", "xi", "q"},
		[]string{"h", "sd", "temp", "rate", "keep", "add", "inv", "lambda"}, func(s *stepWriter) {
			f := s.read("grad")
			a := s.metric(f)
			p := s.read("p")
			z := s.warmed(p)
			p = s.add(s.sub(p, s.mul(s.mul(z, p), s.number("h"))),
				s.add(s.mul(s.mul(a, f), s.number("h")), s.mul(s.read("u"), s.number("sd"))))
			s.write("p", p)
			s.write("x", s.add(s.read("x"), s.mul(s.mul(a, p), s.number("h"))))
		}},
	{"adam", "p = mu·p + rest·m, q = keep·q + add·m², m = grad·inv, x += (h·p)/(√q/root + lambda)",
		[]string{"x", "p", "grad", "q"}, []string{"h", "mu", "rest", "keep", "add", "inv", "root",
			"lambda"}, func(s *stepWriter) {
			m, q := s.squares(s.read("grad"))
			p := s.add(s.mul(s.read("p"), s.number("mu")), s.mul(m, s.number("rest")))
			s.write("p", p)
			s.write("x", s.add(s.read("x"),
				s.div(s.mul(p, s.number("h")),
					s.add(s.div(s.sqrt(q), s.number("root")), s.number("lambda")))))
		}},
	{"rmsprop", "q = keep·q + add·m², m = grad·inv, x += (h·m)/(√q + lambda)",
		[]string{"x", "grad", "q"}, []string{"h", "keep", "add", "inv", "lambda"}, func(s *stepWriter) {
			m, q := s.squares(s.read("grad"))
			s.write("x", s.add(s.read("x"),
				s.div(s.mul(m, s.number("h")), s.add(s.sqrt(q), s.number("lambda")))))
		}},
	{"momentum", "p = mu·p + grad·inv, x += h·p",
		[]string{"x", "p", "grad"}, []string{"h", "mu", "inv"}, func(s *stepWriter) {
			p := s.add(s.mul(s.read("p"), s.number("mu")), s.mul(s.read("grad"), s.number("inv")))
			s.write("p", p)
			s.write("x", s.add(s.read("x"), s.mul(p, s.number("h"))))
		}},
}

// squares writes the average of squares, and returns the mean gradient and it.
func (s *stepWriter) squares(f val) (m, q val) {
	m = s.mul(f, s.number("inv"))
	q = s.add(s.mul(s.read("q"), s.number("keep")), s.mul(s.mul(m, m), s.number("add")))
	s.write("q", q)
	return m, q
}

// metric is Santa's g.
func (s *stepWriter) metric(f val) val {
	_, q := s.squares(f)
	return s.div(s.num(1), s.sqrt(s.add(s.sqrt(q), s.number("lambda"))))
}

// warmed writes the thermostats after p, and returns them.
func (s *stepWriter) warmed(p val) val {
	z := s.add(s.read("xi"), s.mul(s.sub(s.mul(p, p), s.number("temp")), s.number("rate")))
	s.write("xi", z)
	return z
}

// optimizerKernels writes the passes of optimisers.
func optimizerKernels(isa vectors) *file {
	f := &file{}
	pool := &constants{label: "optimizer" + isa.name}
	for _, io := range []float{f64, f32} {
		for _, of := range optimizers {
			stepKernel(f, isa, pool, io, of, false)
		}
		if isa.name == "avx2" {
			masks(f, "stepMask", io, 32)
		}
	}
	pool.write(f)
	return f
}
