package examples_test

import "math"

// Series whose every value needs the one before: recurrences, so without a minibatch.
func init() {
	recipes = append(recipes, recipe{
		model: "hidden_markov",
		given: func(g *maker) { g.hiddenMarkov("y", 120, 0.85, 0.75, -1, 2, 0.8) },
		step:  0.02, friction: 1, brief: 4,
	}, recipe{
		model: "volatility",
		given: func(g *maker) { g.volatility("y", 200, 0.2, 0.4, 0.3, 0.5); g.scalar("sigma1", 1) },
		step:  0.03, friction: 1,
	}, recipe{
		model: "missing_values",
		given: func(g *maker) { g.withHoles("x", "y", 60, 0.2) },
		step:  0.02, friction: 1,
	})
}

// withHoles is a line through normal x, of which a share is missing.
func (g *maker) withHoles(x, y string, n int, share float64) {
	var line []float64
	g.fill(x, func() float64 {
		v := 1 + 2*g.src.Normal()
		line = append(line, 0.5+1.5*v+0.7*g.src.Normal())
		if g.src.Float64() < share {
			return math.NaN()
		}
		return v
	}, n)
	i := -1
	g.fill(y, func() float64 { i++; return line[i] }, n)
}

// hiddenMarkov is normal about a or b, by a state that stays with probability p or q.
func (g *maker) hiddenMarkov(name string, n int, p, q, a, b, sigma float64) {
	second := false
	g.fill(name, func() float64 {
		stay := p
		if second {
			stay = q
		}
		second = second == (g.src.Float64() < stay)
		mean := a
		if second {
			mean = b
		}
		return mean + sigma*g.src.Normal()
	}, n)
}

func (g *maker) volatility(name string, n int, mu, alpha0, alpha1, beta1 float64) {
	sigma, shock := 1.0, 0.0
	first := true
	g.fill(name, func() float64 {
		if !first {
			sigma = math.Sqrt(alpha0 + alpha1*shock*shock + beta1*sigma*sigma)
		}
		first = false
		shock = sigma * g.src.Normal()
		return mu + shock
	}, n)
}
