// Package optimize finds a point where a target's density, or the score of held-out data, is high:
// Santa, which is an annealed sampler with stochastic gradients, and the optimisers it is measured
// against. Two algorithms differ only in their rows of the Table.
//
// The objective is the log density in the model's own coordinates, without
// the Jacobian of transforms: its maximum is the mode that the model's text
// means. Santa samples it at the temperature T with T log|J| on the way, as
// every sampler here does, so that the objective is what is left at T = 0.
package optimize

import "slices"

// A Row of the table of algorithms.
type Row struct {
	Name    string
	Aliases []string
	Doc     string
	// Update is a step in formulas. h is the step size, N the number of rows (1
	// without rows), ∇Ũ the minibatch's estimate of the sum over all rows, which
	// Santa takes, and m = ∇Ũ/N its mean, which the others take: so that a step
	// size of the literature means what it does there.
	Update string
	// Uses has the settings of this algorithm, by the names of Settings, with
	// their defaults; NaN where the default depends on other settings.
	Uses map[string]float64
	// Momentum p, thermostats ξ, an average of squares v: parts of the state.
	Momentum, Thermostat, Square bool
	// Anneals: it explores at T = 1/β_t before it refines at T = 0.
	Anneals bool
	// Prepares: it wants v before its first step.
	Prepares bool
	Source   string
	update   update
}

// Table has every algorithm, the default first.
var Table = []Row{
	{
		Name: "santa", Aliases: []string{"santa-s"},
		Doc: "stochastic annealing thermostats with adaptive momentum, symmetric splitting",
		Update: "A(h/2) B(h/2) O(h) B(h/2) A(h/2), A: x ← x + g⊙p t, ξ ← ξ + (p² − T) t; B: p ← " +
			"exp(−ξt) p; " +
			"O: p ← p − g⊙∇Ũ t + N(0, 2DTt), v ← σv + (1 − σ)m², g = (λ + √v)^−½; then T = 0, ξ frozen",
		Uses:     santaUses(true),
		Momentum: true, Thermostat: true, Square: true, Anneals: true, Prepares: true,
		Source: "Chen, Carlson, Gan, Li and Carin 2016, algorithm 2, with ∇Ũ at the half-drifted " +
			"x, D constant and the Γ term left out",
		update: update{split[float64], split[float32]},
	},
	{
		Name: "santa-e", Doc: "Santa by Euler's scheme",
		Update: "v, g; ξ ← ξ + (p² − T) h; p ← p − hξ⊙p − h g⊙∇Ũ + N(0, 2DTh); x ← x + h g⊙p; " +
			"then T = 0, ξ frozen",
		Uses:     santaUses(true),
		Momentum: true, Thermostat: true, Square: true, Anneals: true,
		Source: "Chen, Carlson, Gan, Li and Carin 2016, algorithm 1, with D constant and the Γ " +
			"term left out",
		update: update{euler[float64], euler[float32]},
	},
	{
		Name: "santa-refine", Aliases: []string{"santa-r"},
		Doc:      "Santa at temperature 0 from its start, its thermostats alive: no noise",
		Update:   "as santa with T = 0, from p = 0",
		Uses:     santaUses(false),
		Momentum: true, Thermostat: true, Square: true, Prepares: true,
		Source: "Chen, Carlson, Gan, Li and Carin 2016, section 5.2, Santa-r",
		update: update{split[float64], split[float32]},
	},
	{
		Name: "adam", Doc: "gradients over the root of their squares, both averaged, with the " +
			"averages' starts undone",
		Update: "p ← μp + (1 − μ)m, v ← σv + (1 − σ)m²; x ← x − h p̂/(√v̂ + λ), p̂ = p/(1 − " +
			"μ^t), v̂ = v/(1 − σ^t)",
		Uses:     map[string]float64{"momentum": 0.9, "decay": 0.999, "lambda": 1e-8},
		Momentum: true, Square: true,
		Source: "Kingma and Ba 2015, algorithm 1",
		update: update{adam[float64], adam[float32]},
	},
	{
		Name: "rmsprop", Doc: "gradients over the root of their averaged squares",
		Update: "v ← σv + (1 − σ)m², x ← x − h m/(√v + λ)",
		Uses:   map[string]float64{"decay": 0.9, "lambda": 1e-8},
		Square: true,
		Source: "Tieleman and Hinton 2012",
		update: update{rmsprop[float64], rmsprop[float32]},
	},
	{
		Name: "sgdm", Aliases: []string{"sgd-m"}, Doc: "stochastic gradient descent with momentum",
		Update:   "p ← μp − m, x ← x + h p",
		Uses:     map[string]float64{"momentum": 0.9},
		Momentum: true,
		Source: "Chen, Carlson, Gan, Li and Carin 2016, section 2, with μ = 1 − α; Rumelhart, " +
			"Hinton and Williams 1986",
		update: update{momentum[float64], momentum[float32]},
	},
	{
		Name: "sgd", Doc: "stochastic gradient descent",
		Update: "x ← x − h m",
		Source: "Robbins and Monro 1951",
		update: update{descent[float64], descent[float32]},
	},
}

func santaUses(anneals bool) map[string]float64 {
	m := map[string]float64{"friction": later, "xi0": later, "decay": 0.99, "v0": 1, "lambda": 1e-5}
	if anneals {
		m["burnin"], m["anneal-a"], m["anneal-gamma"], m["xi-floor"] = later, 1, 0.5, later
	}
	return m
}

// Lookup finds an algorithm by its name or an alias.
func Lookup(name string) (*Row, bool) {
	for i := range Table {
		if Table[i].Name == name || slices.Contains(Table[i].Aliases, name) {
			return &Table[i], true
		}
	}
	return nil, false
}

// Names lists the algorithms, in the order of the table.
func Names() []string {
	out := make([]string, len(Table))
	for i, r := range Table {
		out[i] = r.Name
	}
	return out
}
