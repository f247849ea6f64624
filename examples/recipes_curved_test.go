package examples_test

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// recipes of models with parameters on spheres, simplexes and Stiefel
// manifolds. Those of spheres and Stiefel manifolds are moved along geodesics.
var curvedRecipes = []recipe{
	{
		model: "circle",
		given: func(g *maker) {
			g.vector("mu1", math.Cos(math.Pi/3), math.Sin(math.Pi/3))
			g.vector("mu2", math.Cos(math.Pi/3), -math.Sin(math.Pi/3))
		},
		sampler: "geodesic_sgnht", step: 0.05, friction: 1,
	},
	{
		model: "vmf_posterior",
		given: func(g *maker) {
			g.scalar("N", 100)
			g.vector("m", 1, 0, 0)
			g.scalar("kappa0", 2)
			g.scalar("kappa", 10)
		},
		truth:   map[string]*data.Value{"mu": vector(2./7, -3./7, 6./7)},
		sampler: "geodesic_sgnht", step: 0.006, friction: 10, batch: 80, brief: 1,
	},
	{
		model: "vmf_mixture",
		given: func(g *maker) {
			g.scalar("N", 100)
			g.vector("m", 1, 0)
			g.scalar("kappa0", 20)
			g.scalar("kappa", 20)
		},
		truth: map[string]*data.Value{
			"v1": vector(math.Cos(math.Pi/24), -math.Sin(math.Pi/24)),
			"v2": vector(math.Cos(math.Pi/8), math.Sin(math.Pi/8)),
		},
		sampler: "geodesic_sgnht", step: 0.01, friction: 5, batch: 80,
		chart: "two modes",
	},
	{
		model: "dirichlet_multinomial",
		given: func(g *maker) { g.counts("y", 60, 20, 0.5, 0.25, 0.15, 0.08, 0.02) },
		step:  0.01, friction: 2, batch: 15,
	},
	{
		model: "embedding_mixture",
		given: func(g *maker) { g.scalar("N", 300); g.scalar("D", 8) },
		truth: map[string]*data.Value{
			"pi": vector(0.5, 0.3, 0.2),
			"mu": matrix(8,
				0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0,
				0.5, 0.5, -0.5, -0.5, 0, 0, 0, 0,
				0, 0, 0, 0.6, 0, 0, -0.8, 0),
			"kappa": vector(40, 20, 60),
		},
		sampler: "geodesic_sgnht", step: 0.004, friction: 5, batch: 200, brief: 1,
		chart: "clusters can change places",
	},
	{
		model: "bayesian_pca",
		given: func(g *maker) { g.scalar("N", 200); g.scalar("D", 6) },
		truth: map[string]*data.Value{
			"W": matrix(2,
				0.5, 0.5,
				0.5, -0.5,
				0.5, 0.5,
				0.5, -0.5,
				0, 0,
				0, 0),
			"signal": vector(2, 6),
			"noise":  data.Scalar(0.5),
		},
		sampler: "geodesic_sgnht", step: 0.004, friction: 30, batch: 50,
		chart: "the signs of the directions can change",
	},
}

func init() {
	recipes = append(recipes, curvedRecipes...)
	notSimulated["circle"] = "E0712"                // a factor
	notSimulated["dirichlet_multinomial"] = "E0712" // its number of trials is in the counts alone
}

// counts are multinomial: rows of total trials each.
func (g *maker) counts(name string, rows, total int, p ...float64) {
	x := make([]float64, rows*len(p))
	for i := range rows {
		for range total {
			u, k := g.src.Float64(), 0
			for ; k < len(p)-1 && u >= p[k]; k++ {
				u -= p[k]
			}
			x[i*len(p)+k]++
		}
	}
	g.put(name, data.Dense(x, rows, len(p)))
}
