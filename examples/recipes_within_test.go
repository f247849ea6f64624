package examples_test

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

func init() {
	recipes = append(recipes, recipe{
		model: "hidden_classes",
		given: func(g *maker) { g.normals("x", 300, 2) },
		truth: map[string]*data.Value{"share": vector(0.35, 0.65), "level": vector(-1, 1),
			"slope": matrix(2, 1, 0, -1, 0.5), "sigma": data.Scalar(0.5)},
		step: 0.004, friction: 2, batch: 100, brief: 2,
	})
	recipes = append(recipes, recipe{
		model: "raters",
		given: func(g *maker) {
			g.scalar("K", 3)
			g.indices("item", 0, 60, 300)
			g.indices("rater", 0, 3, 300)
		},
		truth: map[string]*data.Value{"share": vector(0.5, 0.3, 0.2),
			"says": data.Dense(slices.Concat(
				[]float64{0.8, 0.1, 0.1, 0.1, 0.8, 0.1, 0.1, 0.1, 0.8},
				[]float64{0.7, 0.2, 0.1, 0.2, 0.6, 0.2, 0.1, 0.2, 0.7},
				[]float64{0.9, 0.05, 0.05, 0.1, 0.85, 0.05, 0.3, 0.1, 0.6},
			), 3, 3, 3)},
		step: 0.03, friction: 1, brief: 4,
	})
	recipes = append(recipes, recipe{
		model: "regimes",
		given: func(g *maker) { g.hiddenMarkov("y", 24, 0.6, 0.75, -1.2, 1, 0.6) },
		step:  0.02, friction: 1, chart: "two modes, of which the run may see one",
	})
}
