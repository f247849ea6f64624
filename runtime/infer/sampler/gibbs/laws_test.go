package gibbs

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/matrix"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"gonum.org/v1/gonum/integrate/quad"
)

func sampler(joint int) *Sampler {
	return &Sampler{source: rng.New(11, 0, rng.Test).At(0), square: matrix.New(joint),
		block: make([]float64, 8)}
}

// TestScalarLaws holds draws of each law of one number to moments found by quadrature of the
// density that the law says, in a variable in which that is smooth.
func TestScalarLaws(t *testing.T) {
	const n = 40000
	for _, c := range []struct {
		name string
		draw func(s *Sampler) (float64, string)
		log  func(u float64) float64
		// moments are those of of(u)
		of     func(u float64) float64
		lo, hi float64 // of log u, or of u with plain
		plain  bool
	}{
		{"normal", func(s *Sampler) (float64, string) { return s.normal(3, 2.5) },
			func(u float64) float64 { return 3*u - 1.25*u*u }, same, -8, 8, true},
		{"gamma", func(s *Sampler) (float64, string) { return s.gamma(1.5, -2, 1) },
			func(u float64) float64 { return 1.5*math.Log(u) - 2*u }, same, -30, 4, false},
		{"inverse gamma", func(s *Sampler) (float64, string) { return s.gamma(-6, -2, -1) },
			func(u float64) float64 { return -6*math.Log(u) - 2/u }, same, -5, 9, false},
		{"standard deviation", func(s *Sampler) (float64, string) { return s.gamma(-9, -3, -2) },
			func(u float64) float64 { return -9*math.Log(u) - 3/(u*u) }, same, -3, 6, false},
		{"small shape", func(s *Sampler) (float64, string) { return s.gamma(-0.9, -2, 1) },
			func(u float64) float64 { return -0.9*math.Log(u) - 2*u }, math.Log, -400, 4, false},
		{"exponential", func(s *Sampler) (float64, string) { return s.positiveNormal(-2, 0) },
			func(u float64) float64 { return -2 * u }, same, 0, 25, true},
		{"positive normal", func(s *Sampler) (float64, string) { return s.positiveNormal(1, -0.7) },
			func(u float64) float64 { return u - 0.7*u*u }, same, 0, 12, true},
		{"far tail", func(s *Sampler) (float64, string) { return s.positiveNormal(-9, -0.7) },
			func(u float64) float64 { return -9*u - 0.7*u*u }, same, 0, 6, true},
		{"beta", func(s *Sampler) (float64, string) { return s.beta(0.5, 2) },
			func(u float64) float64 { return 0.5*math.Log(u) + 2*math.Log1p(-u) }, same, 0, 1, true},
		{"half-normal scale", func(s *Sampler) (float64, string) {
			return s.powers(-8, []float64{-0.4, -3}, []float64{2, -2})
		}, func(u float64) float64 { return -8*math.Log(u) - 0.4*u*u - 3/(u*u) }, same, -3, 5, false},
		{"exponential scale of many", func(s *Sampler) (float64, string) {
			return s.powers(-900, []float64{-1, -450}, []float64{1, -2})
		}, func(u float64) float64 { return -900*math.Log(u) - u - 450/(u*u) }, same, -1, 1, false},
		{"powers in u", func(s *Sampler) (float64, string) {
			return s.powers(0.7, []float64{2, -0.8}, []float64{1, 2})
		}, func(u float64) float64 { return 0.7*math.Log(u) + 2*u - 0.8*u*u }, same, 0, 9, true},
		{"powers in u from 0", func(s *Sampler) (float64, string) {
			return s.powers(0, []float64{-2, -0.8}, []float64{1, 2})
		}, func(u float64) float64 { return -2*u - 0.8*u*u }, same, 0, 9, true},
	} {
		s := sampler(0)
		top := math.Inf(-1)
		for i := range 4000 {
			y := c.lo + (c.hi-c.lo)*(float64(i)+0.5)/4000
			top = max(top, density(c.log, y, c.plain))
		}
		integral := func(power int, centre float64) float64 {
			return quad.Fixed(func(y float64) float64 {
				u := y
				if !c.plain {
					u = math.Exp(y)
				}
				return math.Exp(density(c.log, y, c.plain)-top) * math.Pow(c.of(u)-centre, float64(power))
			}, c.lo, c.hi, 4000, nil, 0)
		}
		mass := integral(0, 0)
		mean := integral(1, 0) / mass
		variance := integral(2, mean) / mass
		fourth := integral(4, mean) / mass
		one, two := 0.0, 0.0
		for range n {
			u, problem := c.draw(s)
			if problem != "" {
				t.Fatalf("%s: %s", c.name, problem)
			}
			d := c.of(u) - mean
			one += d / n
			two += d * d / n
		}
		if z := one / math.Sqrt(variance/n); !(math.Abs(z) < 4) {
			t.Errorf("%s: the mean is %g, z = %.1f", c.name, mean+one, z)
		}
		if z := (two - variance) / math.Sqrt((fourth-variance*variance)/n); !(math.Abs(z) < 4) {
			t.Errorf("%s: the variance is %g in place of %g, z = %.1f", c.name, two, variance, z)
		}
	}
}

func same(u float64) float64 { return u }

// density is a log density at log u, with the Jacobian, or at u.
func density(log func(float64) float64, y float64, plain bool) float64 {
	if plain {
		return log(y)
	}
	return log(math.Exp(y)) + y
}

// TestJointNormal holds draws to the mean and the covariance of N(Λ⁻¹h, Λ⁻¹).
func TestJointNormal(t *testing.T) {
	const n = 40000
	s := sampler(2)
	precision, h := []float64{2, 0.8, 0.8, 1}, []float64{1, -0.5}
	det := 2 - 0.64
	cov := []float64{1 / det, -0.8 / det, -0.8 / det, 2 / det}
	mean := []float64{cov[0]*h[0] + cov[1]*h[1], cov[2]*h[0] + cov[3]*h[1]}
	var sum [2]float64
	var square [4]float64
	u := make([]float64, 2)
	for range n {
		if problem := s.jointNormal(u, h, precision); problem != "" {
			t.Fatal(problem)
		}
		for i := range u {
			sum[i] += (u[i] - mean[i]) / n
			for j := range u {
				square[2*i+j] += (u[i] - mean[i]) * (u[j] - mean[j]) / n
			}
		}
	}
	for i := range 2 {
		if z := sum[i] / math.Sqrt(cov[3*i]/n); !(math.Abs(z) < 4) {
			t.Errorf("mean %d: z = %.1f", i, z)
		}
		for j := range 2 {
			sd := math.Sqrt((cov[3*i]*cov[3*j] + cov[2*i+j]*cov[2*i+j]) / n)
			if z := (square[2*i+j] - cov[2*i+j]) / sd; !(math.Abs(z) < 4) {
				t.Errorf("covariance %d, %d: z = %.1f", i, j, z)
			}
		}
	}
	if problem := s.jointNormal(u, h, []float64{1, 2, 2, 1}); problem == "" {
		t.Error("a matrix that is not positive is drawn from")
	}
}

// TestCategories holds frequencies to weights, and says where there is none.
func TestCategories(t *testing.T) {
	const n = 40000
	s, counts := sampler(0), make([]float64, 4)
	p := []float64{0.1, 0.6, 0, 0.3}
	for range n {
		w := []float64{math.Log(0.1) + 700, math.Log(0.6) + 700, math.Inf(-1), math.Log(0.3) + 700}
		k, problem := s.category(w)
		if problem != "" {
			t.Fatal(problem)
		}
		counts[int(k)]++
	}
	for k := range p {
		if sd := math.Sqrt(n * p[k] * (1 - p[k])); !(math.Abs(counts[k]-n*p[k]) <= 4*sd) {
			t.Errorf("value %d came %g times", k, counts[k])
		}
	}
	if _, problem := s.category([]float64{math.Inf(-1), math.Inf(-1)}); problem == "" {
		t.Error("weights of 0 are drawn from")
	}
}

// TestImproper: a law that has no mass is refused in words.
func TestImproper(t *testing.T) {
	s := sampler(0)
	for name, draw := range map[string]func() (float64, string){
		"normal":  func() (float64, string) { return s.normal(1, 0) },
		"gamma":   func() (float64, string) { return s.gamma(-1, -1, 1) },
		"rate":    func() (float64, string) { return s.gamma(1, 0, 1) },
		"beta":    func() (float64, string) { return s.beta(-1, 1) },
		"grows":   func() (float64, string) { return s.positiveNormal(1, 0.5) },
		"no mode": func() (float64, string) { return s.powers(2, []float64{-1, -1}, []float64{-1, -2}) },
		"convex":  func() (float64, string) { return s.powers(-2, []float64{1, -1}, []float64{1, 2}) },
		"NaN":     func() (float64, string) { return s.normal(math.NaN(), 1) },
	} {
		if u, problem := draw(); problem == "" {
			t.Errorf("%s: %g is drawn", name, u)
		}
	}
}
