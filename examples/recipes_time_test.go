package examples_test

import "math"

// Series whose every value needs the one before: recurrences, so without a minibatch.
func init() {
	recipes = append(recipes, recipe{
		model: "hidden_markov",
		given: func(g *maker) { g.hiddenMarkov("y", 120, 0.85, 0.75, -1, 2, 0.8) },
		step:  0.02, friction: 1,
	}, recipe{
		model: "volatility",
		given: func(g *maker) { g.volatility("y", 200, 0.2, 0.4, 0.3, 0.5); g.scalar("sigma1", 1) },
		step:  0.03, friction: 1,
	})
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
