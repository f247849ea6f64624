package examples_test

// Networks on pictures and sequences. Their data come last, so that those of
// the others stay as they are.
func init() {
	recipes = append(recipes, recipe{
		model: "convolution",
		given: func(g *maker) { g.normals("x", 120, 1, 6, 6) },
		step:  0.01, friction: 2, batch: 20,
		brief: 10, chart: "channels can be swapped, and change sign",
	}, recipe{
		model: "recurrent",
		given: func(g *maker) { g.normals("x", 120, 3, 1) },
		step:  0.006, friction: 2, batch: 30,
		brief: 3, chart: "hidden units can be swapped",
	})
}
