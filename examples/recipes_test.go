package examples_test

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A recipe says where the data next to a model comes from, and how the model is
// sampled in a short test.
type recipe struct {
	model string
	// given are the inputs that are chosen: covariates, sizes, known values.
	given func(g *maker)
	// truth are the parameters that the rest is simulated from; nil where all
	// data is given.
	truth map[string]*data.Value
	// A run that finds the truth again, of msgnht unless sampler names another.
	sampler        string
	step, friction float64
	batch          int // 0: the full batch
	// A test takes this part of the command's steps, else a third; 1 where chains need more
	// steps to settle.
	brief int64
	// chart is where the posterior is wide or curved, so that the short run is
	// only asked to be finite; it says why.
	chart string
}

func vector(x ...float64) *data.Value { return data.Dense(x, len(x)) }
func matrix(cols int, x ...float64) *data.Value {
	return data.Dense(x, len(x)/cols, cols)
}

// recipes of all models, in the order of the README.
var recipes = []recipe{
	{
		model: "logistic",
		given: func(g *maker) { g.sparse("x", 2000, 20, 0.25) },
		truth: map[string]*data.Value{
			"w": vector(1.5, -1.2, 0.8, -0.6, 0.5, -0.4, 0.3, -0.2, 0.1, 0, 2, -1.8, 1, -0.9, 0.7,
				-0.5, 0.25, -0.25, 0, 0),
			"b": data.Scalar(-0.1),
		},
		step: 0.0025, friction: 2, batch: 200, brief: 1,
	},
	{
		model: "linear_regression",
		given: func(g *maker) { g.normals("X", 100, 3); g.scalar("sigma", 0.7) },
		truth: map[string]*data.Value{"beta": vector(1, -2, 0.5)},
		step:  0.005, friction: 2, batch: 20, brief: 1,
	},
	{
		model: "conjugate_regression",
		given: func(g *maker) { g.normals("X", 100, 3) },
		truth: map[string]*data.Value{"sigma2": data.Scalar(0.5), "beta": vector(1, -2, 0.5)},
		step:  0.005, friction: 2, batch: 20,
	},
	{
		model: "robust_regression",
		given: func(g *maker) { g.normals("x", 200) },
		truth: map[string]*data.Value{"slope": data.Scalar(1.5), "intercept": data.Scalar(-0.5),
			"sigma": data.Scalar(0.5), "nu": data.Scalar(3)},
		step: 0.006, friction: 2, batch: 100,
	},
	{
		model: "poisson_regression",
		given: func(g *maker) { g.normals("X", 100, 3); g.uniforms("exposure", 0.5, 2, 100) },
		truth: map[string]*data.Value{"w": vector(0.5, -0.3, 0), "b": data.Scalar(0.2)},
		step:  0.01, friction: 2, batch: 50,
	},
	{
		model: "zero_inflated",
		given: func(g *maker) { g.normals("X", 150, 2) },
		truth: map[string]*data.Value{"w": vector(0.6, -0.4), "b": data.Scalar(1),
			"none": data.Scalar(0.3)},
		step: 0.006, friction: 2, batch: 75,
	},
	{
		model: "softmax_regression",
		given: func(g *maker) { g.normals("x", 150, 2); g.scalar("K", 3) },
		truth: map[string]*data.Value{"W": matrix(3, 1.5, 0, -1.5, -1, 1, 0),
			"b": vector(0.5, 0, -0.5)},
		step: 0.02, friction: 2, batch: 50,
	},
	{
		model: "ordinal_regression",
		given: func(g *maker) { g.normals("x", 150, 2); g.scalar("K", 4) },
		truth: map[string]*data.Value{"w": vector(1, -0.7), "cut": vector(-1.5, 0, 1.2)},
		step:  0.009, friction: 2, batch: 50,
	},
	{
		model: "survival",
		given: func(g *maker) { g.normals("X", 200, 2); g.uniforms("stop", 1, 4, 200) },
		truth: map[string]*data.Value{"w": vector(0.5, -0.4), "b": data.Scalar(0.6),
			"a": data.Scalar(1.5)},
		step: 0.007, friction: 2, batch: 100,
	},
	{
		model: "beta_binomial",
		given: func(g *maker) { g.scalar("n", 50) },
		truth: map[string]*data.Value{"theta": data.Scalar(0.3)},
		step:  0.04, friction: 2,
	},
	{
		model: "dirichlet_categorical",
		given: func(g *maker) { g.scalar("N", 200); g.scalar("K", 4) },
		truth: map[string]*data.Value{"pi": vector(0.4, 0.3, 0.2, 0.1)},
		step:  0.01, friction: 2, batch: 50,
	},
	{
		model: "two_normals",
		given: func(g *maker) { g.scalar("N", 300) },
		truth: map[string]*data.Value{"mu": vector(-1.5, 1), "sigma": vector(0.7, 0.5),
			"share": data.Scalar(0.4)},
		step: 0.002, friction: 2, batch: 100,
	},
	{
		model: "tied_means",
		given: func(g *maker) { g.scalar("N", 100) },
		truth: map[string]*data.Value{"theta1": data.Scalar(0), "theta2": data.Scalar(1)},
		step:  0.02, friction: 2, batch: 50,
		chart: "two modes, of which the run may see one",
	},
	{
		model: "eight_schools",
		given: func(g *maker) {
			g.vector("y", 28, 8, -3, 7, -1, 1, 18, 12)
			g.vector("sigma", 15, 10, 16, 11, 9, 11, 10, 18)
		},
		step: 0.1, friction: 0.3,
	},
	{
		model: "varying_intercepts",
		given: func(g *maker) {
			g.coins("floor_at", 0.3, 400)
			g.indices("county", 1, 20, 400)
			g.normals("u", 20)
		},
		truth: map[string]*data.Value{"g0": data.Scalar(1.4), "g1": data.Scalar(0.7),
			"b": data.Scalar(-0.7), "tau": data.Scalar(0.3),
			"sigma": data.Scalar(0.75), "alpha": nil},
		step: 0.003, friction: 2, batch: 100,
	},
	{
		model: "autoregression",
		given: func(g *maker) { g.autoregression("y", 300, 0.5, 0.6, 0.5) },
		step:  0.006, friction: 2, batch: 150,
	},
	{
		model: "truncated",
		given: func(g *maker) { g.scalar("lo", -1); g.scalar("hi", 3); g.scalar("N", 200) },
		truth: map[string]*data.Value{"mu": data.Scalar(0.8), "sigma": data.Scalar(1)},
		step:  0.007, friction: 2, batch: 50,
	},
	{
		model: "own_distribution",
		given: func(g *maker) { g.scalar("N", 200) },
		truth: map[string]*data.Value{"a": data.Scalar(2), "b": data.Scalar(3)},
		step:  0.006, friction: 2, batch: 100,
	},
	{
		model: "neural_network",
		given: func(g *maker) { g.normals("x", 150, 2) },
		step:  0.006, friction: 2, batch: 50,
		chart: "hidden units can be swapped",
	},
	{
		model: "gaussian_mixture_1d",
		given: func(g *maker) {
			g.vector("weight", 0.4, 0.6)
			g.vector("mean", -1.5, 1.5)
			g.vector("sd", 0.8, 0.8)
		},
		step: 0.1, friction: 0.6,
	},
	{model: "double_well", step: 0.1, friction: 1},
}

// A maker makes the inputs that are given.
type maker struct {
	src    rng.Source
	values []given
}

type given struct {
	name  string
	value *data.Value
}

// round keeps three decimals, so that files stay small.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

func (g *maker) put(name string, v *data.Value) { g.values = append(g.values, given{name, v}) }

func (g *maker) fill(name string, f func() float64, shape ...int) {
	n := 1
	for _, k := range shape {
		n *= k
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = round(f())
	}
	g.put(name, data.Dense(x, shape...))
}

func (g *maker) scalar(name string, x float64)     { g.put(name, data.Scalar(x)) }
func (g *maker) vector(name string, x ...float64)  { g.put(name, vector(x...)) }
func (g *maker) normals(name string, shape ...int) { g.fill(name, g.src.Normal, shape...) }

// sparse is normal where it is not 0, which it is with probability 1 − dense.
func (g *maker) sparse(name string, rows, cols int, dense float64) {
	g.fill(name, func() float64 {
		if g.src.Float64() >= dense {
			return 0
		}
		return math.Round(100*g.src.Normal()) / 100
	}, rows, cols)
}

func (g *maker) uniforms(name string, lo, hi float64, shape ...int) {
	g.fill(name, func() float64 { return lo + (hi-lo)*g.src.Float64() }, shape...)
}

func (g *maker) coins(name string, p float64, n int) {
	g.fill(name, func() float64 {
		if g.src.Float64() < p {
			return 1
		}
		return 0
	}, n)
}

// indices from from to from + k − 1, each of which is there.
func (g *maker) indices(name string, from, k, n int) {
	i := 0
	g.fill(name, func() float64 {
		i++
		if i <= k {
			return float64(from + i - 1)
		}
		return float64(from + g.src.IntN(k))
	}, n)
}

func (g *maker) autoregression(name string, n int, mu, phi, sigma float64) {
	last := mu
	g.fill(name, func() float64 {
		last = mu + phi*(last-mu) + sigma*g.src.Normal()
		return last
	}, n)
}
