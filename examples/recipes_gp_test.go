package examples_test

import "github.com/sgppl/sgppl/runtime/engine/data"

func init() {
	recipes = append(recipes, recipe{
		model: "gaussian_process",
		given: func(g *maker) { g.uniforms("x", -4, 4, 24) },
		truth: map[string]*data.Value{"rho": data.Scalar(1.2), "alpha": data.Scalar(1),
			"sigma": data.Scalar(0.3)},
		step: 0.05, friction: 1,
	})
}
