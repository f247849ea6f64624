package optimize

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A reference takes the steps of an algorithm as its paper writes them, in the
// paper's own variables: Santa in u = √η p and α = √η Ξ with η = h², one
// coordinate after the other. Noise and minibatches are those of the chain.
type reference struct {
	l                 *logistic
	c                 Config
	x, u, alpha, v, g []float64
	force, zeta       []float64
	batches           *batch.Batcher
	noise             rng.Stream
	single            bool // noise is in single precision
}

func newReference(l *logistic, c Config, chain *Chain) *reference {
	r := &reference{l: l, c: c, single: chain.half != nil, noise: rng.New(c.Seed, 0, rng.Noise),
		batches: batch.New(len(l.z), c.Batch, batch.Order(c.BatchOrder),
			rng.New(c.Seed, 0, rng.Batch))}
	make0 := func() []float64 { return make([]float64, l.dim) }
	r.x, r.u, r.alpha, r.v, r.g, r.force, r.zeta = append([]float64(nil), chain.Position()...),
		make0(), make0(), make0(), make0(), make0(), make0()
	return r
}

// gradient of Ũ (not of log p) on minibatch t, counted from 0, at x, with β for
// the Jacobian; clipped.
func (r *reference) gradient(t int64, x []float64, jacobian float64) {
	rows, scale := r.batches.At(t)
	r.l.Gradient(x, rows, scale, jacobian, r.force)
	n, length := float64(len(r.l.z)), 0.0
	for i := range r.force {
		r.force[i] = -r.force[i]
		length += r.force[i] * r.force[i]
	}
	if length = math.Sqrt(length) / n; r.c.Clip > 0 && length > r.c.Clip {
		for i := range r.force {
			r.force[i] *= r.c.Clip / length
		}
	}
}

// precondition updates v and g of algorithm 1 with the mean gradient.
func (r *reference) precondition(sigma float64) {
	n := float64(len(r.l.z))
	for i, f := range r.force {
		r.v[i] = sigma*r.v[i] + (1-sigma)/(n*n)*f*f
		r.g[i] = 1 / math.Sqrt(*r.c.Lambda+math.Sqrt(r.v[i]))
	}
}

// draw fetches the noise of step t, counted from 0.
func (r *reference) draw(t int64) {
	if !r.single {
		r.noise.Normals(uint64(t), r.zeta)
		return
	}
	z := make([]float32, len(r.zeta))
	r.noise.Normals32(uint64(t), z)
	for i, a := range z {
		r.zeta[i] = float64(a)
	}
}

// setV0 starts v, in squares of the gradient at hand.
func (r *reference) setV0() {
	n := float64(len(r.l.z))
	for i, f := range r.force {
		r.v[i] = *r.c.V0 * f * f / (n * n)
	}
}

// temperature is 1/β_t for t from 1, or 0 in the refinement.
func (r *reference) temperature(t int64) float64 {
	if r.c.Burnin == nil || float64(t) > *r.c.Burnin {
		return 0
	}
	return 1 / (*r.c.AnnealA * math.Pow(float64(t), *r.c.AnnealGamma))
}

func (r *reference) start(chain *Chain, h float64) {
	for i := range r.x {
		r.u[i], r.alpha[i] = h*chain.p[i], h**r.c.Xi0
	}
}

// floor is what the refinement does to α.
func (r *reference) floor(t int64, h float64) {
	if r.c.Burnin != nil && float64(t) == *r.c.Burnin+1 {
		for i := range r.alpha {
			r.alpha[i] = math.Max(r.alpha[i], h**r.c.XiFloor)
		}
	}
}

// santaS is a step t ≥ 1 of algorithm 2 with η = h².
func (r *reference) santaS(t int64, h float64) {
	eta, T := h*h, r.temperature(t)
	alive := T > 0 || r.c.Burnin == nil
	r.floor(t, h)
	for i := range r.x {
		r.x[i] += r.g[i] * r.u[i] / 2
		if alive {
			r.alpha[i] += (r.u[i]*r.u[i] - eta*T) / 2
		}
	}
	r.gradient(t-1, r.x, T)
	r.precondition(*r.c.Decay)
	r.draw(t - 1)
	for i := range r.x {
		r.u[i] *= math.Exp(-r.alpha[i] / 2)
		r.u[i] += -r.g[i]*r.force[i]*eta + math.Sqrt(2**r.c.Friction*math.Pow(eta, 1.5)*T)*r.zeta[i]
		r.u[i] *= math.Exp(-r.alpha[i] / 2)
		if alive {
			r.alpha[i] += (r.u[i]*r.u[i] - eta*T) / 2
		}
		r.x[i] += r.g[i] * r.u[i] / 2
	}
}

// santaE is a step t ≥ 1 of algorithm 1.
func (r *reference) santaE(t int64, h float64) {
	eta, T := h*h, r.temperature(t)
	r.floor(t, h)
	r.gradient(t-1, r.x, T)
	if t == 1 {
		r.setV0()
	}
	r.precondition(*r.c.Decay)
	r.draw(t - 1)
	for i := range r.x {
		add := 0.0
		if T > 0 {
			r.alpha[i] += r.u[i]*r.u[i] - eta*T
			add = math.Sqrt(2**r.c.Friction*math.Pow(eta, 1.5)*T) * r.zeta[i]
		}
		r.u[i] = add + (1-r.alpha[i])*r.u[i] - eta*r.g[i]*r.force[i]
		r.x[i] += r.g[i] * r.u[i]
	}
}

func (r *reference) baseline(name string, t int64, h float64) {
	r.gradient(t-1, r.x, 0)
	n := float64(len(r.l.z))
	for i := range r.x {
		m := r.force[i] / n
		switch name {
		case "sgd":
			r.x[i] -= h * m
		case "sgdm":
			r.u[i] = *r.c.Momentum*r.u[i] - m
			r.x[i] += h * r.u[i]
		case "rmsprop":
			r.v[i] = *r.c.Decay*r.v[i] + (1-*r.c.Decay)*m*m
			r.x[i] -= h * m / (math.Sqrt(r.v[i]) + *r.c.Lambda)
		case "adam":
			b1, b2 := *r.c.Momentum, *r.c.Decay
			r.u[i] = b1*r.u[i] + (1-b1)*m
			r.v[i] = b2*r.v[i] + (1-b2)*m*m
			first, second := r.u[i]/(1-math.Pow(b1, float64(t))),
				r.v[i]/(1-math.Pow(b2, float64(t)))
			r.x[i] -= h * first / (math.Sqrt(second) + *r.c.Lambda)
		}
	}
}

// TestReference holds every algorithm of the table against its paper's
// equations, with and without clipping, and with the weight of the Jacobian.
func TestReference(t *testing.T) {
	l := newLogistic(40, 5)
	testReference(t, l, l, 1e-10)
}

// In single precision steps stay as near to the papers' as 120 of them may.
func TestSingleReference(t *testing.T) {
	l := newLogistic(40, 5)
	testReference(t, l, singly{l}, 3e-5)
}

func testReference(t *testing.T, l *logistic, of target.Target, within float64) {
	for j := range l.jacobian {
		l.jacobian[j] = float64(j) - 1.5
	}
	for i := range Table {
		row := &Table[i]
		for _, clip := range []float64{0, 0.2} {
			c := config(row.Name, 0.01, 120)
			c.Clip, c.Schedule = clip, "poly:0.02,50,0.4"
			if clip > 0 && row.Thermostat {
				c.V0 = ptr(0)
			}
			if row.Anneals {
				c.AnnealA, c.AnnealGamma, c.Burnin, c.Friction = ptr(2), ptr(0.7), ptr(70), ptr(3)
				c.Xi0, c.XiFloor = ptr(1.2), ptr(1.6)
			}
			ch := mustChain(t, of, nil, c, 0)
			r := newReference(l, ch.cfg, ch)
			santa := row.Thermostat
			if row.Prepares {
				r.gradient(0, r.x, r.temperature(1))
				r.setV0()
				r.precondition(*r.c.Decay)
			}
			moved := 0.0
			for step := int64(1); step <= c.Steps; step++ {
				h := ch.schedule.At(step - 1)
				if santa && step == 1 {
					r.start(ch, h)
				}
				if santa && step > 1 {
					// the paper's η is constant: with h the variables scale, p and ξ do not
					was := ch.schedule.At(step - 2)
					for i := range r.u {
						r.u[i] *= h / was
						r.alpha[i] *= h / was
					}
				}
				before := append([]float64(nil), r.x...)
				switch {
				case row.Name == "santa-e":
					r.santaE(step, h)
				case santa:
					r.santaS(step, h)
				default:
					r.baseline(row.Name, step, h)
				}
				mustSteps(t, ch, 1)
				for k, x := range ch.Position() {
					if !(math.Abs(x-r.x[k]) < within*(1+math.Abs(x))) {
						t.Fatalf("%s, clip %g, step %d: coordinate %d is %.17g, by the paper %.17g",
							row.Name, clip, step, k, x, r.x[k])
					}
					moved += math.Abs(x - before[k])
				}
			}
			if moved < 0.05 {
				t.Errorf("%s hardly moved: %g", row.Name, moved)
			}
			if row.Anneals {
				low := false
				for _, a := range ch.xi {
					low = low || float32(a) == 1.6
				}
				if !low {
					t.Errorf("%s: no thermostat was raised to the floor, which this test is for: %v", row.Name,
						ch.xi)
				}
			}
		}
	}
}
