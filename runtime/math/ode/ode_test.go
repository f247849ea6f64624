package ode

import (
	"math"
	"testing"
)

// A test problem: slope, its derivatives by z and by theta, and the solution where it is known.
type problem struct {
	name  string
	f     func(t float64, z, theta, f, jac, forcing []float64)
	z0    []float64
	theta []float64
	ts    []float64
	want  func(t float64) []float64 // nil: unknown
	stiff bool                      // too stiff for the explicit method
}

var problems = []problem{
	{"decay", func(t float64, z, a, f, j, p []float64) {
		f[0], j[0], p[0] = -a[0]*z[0], -a[0], -z[0]
	}, []float64{2}, []float64{0.7}, []float64{0.5, 1, 7},
		func(t float64) []float64 { return []float64{2 * math.Exp(-0.7*t)} }, false},
	{"oscillator", func(t float64, z, a, f, j, p []float64) {
		f[0], f[1] = z[1], -a[0]*z[0]
		copy(j, []float64{0, 1, -a[0], 0})
		copy(p, []float64{0, -z[0]})
	}, []float64{1, 0}, []float64{4}, []float64{0, 1, 2.5, 10},
		func(t float64) []float64 { return []float64{math.Cos(2 * t), -2 * math.Sin(2*t)} }, false},
	{"predator and prey", func(t float64, z, a, f, j, p []float64) {
		f[0], f[1] = (a[0]-a[1]*z[1])*z[0], (-a[2]+a[3]*z[0])*z[1]
		copy(j, []float64{a[0] - a[1]*z[1], -a[1] * z[0], a[3] * z[1], -a[2] + a[3]*z[0]})
		copy(p, []float64{z[0], -z[0] * z[1], 0, 0, 0, 0, -z[1], z[0] * z[1]})
	}, []float64{30, 6}, []float64{0.55, 0.028, 0.8, 0.024}, []float64{1, 5, 20}, nil, false},
	{"forced", func(t float64, z, a, f, j, p []float64) {
		f[0], j[0], p[0] = -a[0]*(z[0]-math.Cos(t))-math.Sin(t), -a[0], -(z[0] - math.Cos(t))
	}, []float64{1}, []float64{50}, []float64{1, 2},
		func(t float64) []float64 { return []float64{math.Cos(t)} }, false},
	// Robertson's reaction (Hairer & Wanner 1996, eq. IV.1.4).
	{"reaction", func(t float64, y, k, f, j, p []float64) {
		a, b, c := k[0]*y[0], k[1]*y[1]*y[1], k[2]*y[1]*y[2]
		f[0], f[1], f[2] = -a+c, a-b-c, b
		copy(j, []float64{-k[0], k[2] * y[2], k[2] * y[1], k[0], -2*k[1]*y[1] - k[2]*y[2],
			-k[2] * y[1], 0, 2 * k[1] * y[1], 0})
		copy(p, []float64{-y[0], 0, y[1] * y[2], y[0], -y[1] * y[1], -y[1] * y[2], 0, y[1] * y[1], 0})
	}, []float64{1, 0, 0}, []float64{0.04, 3e7, 1e4}, []float64{0.4, 4, 40}, nil, true},
}

func (p *problem) solve(
	t testing.TB, o Options, z0, theta []float64, sens bool,
) (z, bystart, bytheta []float64) {
	n, q := len(p.z0), len(p.theta)
	pr := &Solver{Options: o, F: make([]float64, n), Jacobian: make([]float64, n*n)}
	forcing := make([]float64, n*q)
	slope := func(t float64, z []float64) { p.f(t, z, theta, pr.F, pr.Jacobian, forcing) }
	z = make([]float64, len(p.ts)*n)
	if sens {
		bystart, bytheta = make([]float64, len(p.ts)*n*n), make([]float64, len(p.ts)*n*q)
		pr.Blocks = []Block{{Out: bystart, Len: n}, {Forcing: forcing, Out: bytheta, Len: q}}
	}
	if !pr.Solve(slope, z0, 0, p.ts, z) {
		t.Fatalf("%s: not solved", p.name)
	}
	return z, bystart, bytheta
}

func methods(p *problem) []Options {
	out := []Options{{Stiff: true, Rtol: 1e-8, Atol: 1e-12}}
	if !p.stiff {
		out = append(out, Options{Rtol: 1e-8, Atol: 1e-10})
	}
	return out
}

// Solutions against their closed forms.
func TestSolutions(t *testing.T) {
	for _, p := range problems {
		for _, o := range methods(&p) {
			z, _, _ := p.solve(t, o, p.z0, p.theta, false)
			again, _, _ := p.solve(t, o, p.z0, p.theta, true)
			for i := range z {
				if math.Float64bits(z[i]) != math.Float64bits(again[i]) {
					t.Errorf("%s: %v without sensitivities, %v with", p.name, z[i], again[i])
				}
				if p.want == nil {
					continue
				}
				n := len(p.z0)
				if want := p.want(p.ts[i/n])[i%n]; math.Abs(z[i]-want) > 2e-6 {
					t.Errorf("%s, stiff %t: z[%d] = %v, want %v", p.name, o.Stiff, i, z[i], want)
				}
			}
		}
	}
}

// Robertson's reaction at t = 40: Hairer & Wanner's reference solution.
func TestReaction(t *testing.T) {
	p := problems[4]
	z, _, _ := p.solve(t, Options{Stiff: true, Rtol: 1e-8, Atol: 1e-12}, p.z0, p.theta, false)
	for i, want := range []float64{0.7158270688, 0.9185534765e-5, 0.2841637457} {
		if got := z[6+i]; math.Abs(got-want) > 1e-6*want {
			t.Errorf("y[%d](40) = %v, want %v", i, got, want)
		}
	}
}

// Sensitivities against central differences of solutions.
func TestSensitivities(t *testing.T) {
	for _, p := range problems {
		for _, o := range methods(&p) {
			o.Rtol, o.Atol = 1e-10, 1e-13
			_, byStart, byTheta := p.solve(t, o, p.z0, p.theta, true)
			n := len(p.z0)
			check := func(what string, x []float64, got []float64) {
				q := len(x)
				for k := range x {
					h := 1e-4 * max(1e-2, math.Abs(x[k]))
					shifted := func(d float64) []float64 {
						y := append([]float64(nil), x...)
						y[k] += d
						a, b := p.z0, p.theta
						if what == "start" {
							a = y
						} else {
							b = y
						}
						z, _, _ := p.solve(t, o, a, b, false)
						return z
					}
					up, down := shifted(h), shifted(-h)
					for i := range up {
						d := (up[i] - down[i]) / (2 * h)
						// A solution is known to some hundred times the tolerance, which the
						// difference divides by h.
						if s := got[i*q+k]; math.Abs(s-d) > 1e-4*math.Abs(d)+
							100*o.Rtol*(1+math.Abs(up[i]))/h {
							t.Errorf("%s, stiff %t: z[%d] by %s %d: %v, differences give %v",
								p.name, o.Stiff, i%n, what, k, s, d)
						}
					}
				}
			}
			check("start", p.z0, byStart)
			check("theta", p.theta, byTheta)
		}
	}
}

// The error falls with the tolerance, in proportion.
func TestTolerance(t *testing.T) {
	p := problems[1]
	for _, stiff := range []bool{false, true} {
		for _, tol := range []float64{1e-4, 1e-6, 1e-8, 1e-10} {
			z, _, _ := p.solve(t, Options{Stiff: stiff, Rtol: tol, Atol: tol}, p.z0, p.theta, false)
			want := p.want(10)
			if e := math.Hypot(z[6]-want[0], z[7]-want[1]); e > 100*tol {
				t.Errorf("stiff %t: error %v at tolerance %v", stiff, e, tol)
			}
		}
	}
}

// What cannot be solved is NaN, and what was reached before stays.
func TestBlowUp(t *testing.T) {
	pr := &Solver{Options: Options{Rtol: 1e-6, Atol: 1e-6, MaxSteps: 1000}, F: make([]float64, 1),
		Jacobian: make([]float64, 1)}
	// infinite at t = 1
	slope := func(t float64, z []float64) { pr.F[0], pr.Jacobian[0] = z[0]*z[0], 2*z[0] }
	for _, stiff := range []bool{false, true} {
		pr.Stiff = stiff
		out := make([]float64, 3)
		if pr.Solve(slope, []float64{1}, 0, []float64{0.5, 2, 3}, out) {
			t.Error("solved beyond the pole")
		}
		if math.Abs(out[0]-2) > 1e-4 || !math.IsNaN(out[1]) || !math.IsNaN(out[2]) {
			t.Errorf("stiff %t: %v", stiff, out)
		}
		if pr.Solve(slope, []float64{1}, 0, []float64{0.5, 0.2, 0.6}, out) || !math.IsNaN(out[1]) {
			t.Errorf("times that fall were accepted: %v", out)
		}
	}
}

// A second solution of one solver allocates nothing.
func TestNoAllocation(t *testing.T) {
	for _, stiff := range []bool{false, true} {
		p := problems[2]
		pr := &Solver{Options: Options{Stiff: stiff, Rtol: 1e-6, Atol: 1e-6}, F: make([]float64, 2),
			Jacobian: make([]float64, 4)}
		forcing, out := make([]float64, 8), make([]float64, 6)
		pr.Blocks = []Block{{Out: make([]float64, 12), Len: 2},
			{Forcing: forcing, Out: make([]float64, 24), Len: 4}}
		slope := func(t float64, z []float64) { p.f(t, z, p.theta, pr.F, pr.Jacobian, forcing) }
		if n := testing.AllocsPerRun(10, func() { pr.Solve(slope, p.z0, 0, p.ts, out) }); n > 0 {
			t.Errorf("stiff %t: %v allocations", stiff, n)
		}
	}
}
