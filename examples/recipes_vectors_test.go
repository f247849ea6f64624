package examples_test

import "github.com/sgppl/sgppl/runtime/engine/data"

func init() {
	recipes = append(recipes, recipe{
		model: "correlated_effects",
		given: func(g *maker) { g.normals("x", 500); g.indices("group", 1, 25, 500) },
		truth: map[string]*data.Value{
			"beta": vector(1, -0.5), "tau": vector(1.2, 0.6), "sigma": data.Scalar(0.5),
			"L": matrix(2, 1, 0, -0.6, 0.8), "effect": nil,
		},
		step: 0.006, friction: 1, batch: 200,
	}, recipe{
		model: "covariance",
		given: func(g *maker) { g.scalar("N", 200); g.scalar("K", 3) },
		truth: map[string]*data.Value{"mu": vector(1, -1, 0),
			"L": matrix(3, 1, 0, 0, 0.6, 0.8, 0, -0.5, 0.3, 0.7)},
		step: 0.008, friction: 2, batch: 100,
	})
}
