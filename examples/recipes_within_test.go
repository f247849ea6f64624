package examples_test

import "github.com/sgppl/sgppl/runtime/data"

func init() {
	recipes = append(recipes, recipe{
		model: "hidden_classes",
		given: func(g *maker) { g.normals("x", 300, 2) },
		truth: map[string]*data.Value{"share": vector(0.35, 0.65), "level": vector(-1, 1), "slope": matrix(2, 1, 0, -1, 0.5), "sigma": data.Scalar(0.5)},
		step:  0.004, friction: 2, batch: 100, brief: 2,
	})
}
