package examples_test

import "github.com/sgppl/sgppl/runtime/engine/data"

// Networks on pictures and sequences. Their data come last, so that those of
// the others stay as they are.
func init() {
	recipes = append(recipes, recipe{
		model: "convolution",
		given: func(g *maker) { g.normals("x", 120, 1, 6, 6) },
		step:  0.01, friction: 10, batch: 20,
		brief: 10, chart: "channels can be swapped, and change sign",
	}, recipe{
		model: "recurrent",
		given: func(g *maker) { g.normals("x", 120, 3, 1) },
		step:  0.006, friction: 2, batch: 30,
		brief: 3, chart: "hidden units can be swapped",
	}, recipe{
		model: "polyphony",
		given: func(g *maker) { g.pieces("x", "T", 24, 8) },
		step:  0.005, friction: 2, batch: 12,
		brief: 10, chart: "hidden units can be swapped",
	})
	notSimulated["polyphony"] = "" // a frame is drawn given those before
}

// pieces are n pieces of up to so many frames of four notes. Two chords take
// turns, each held for some frames, and a note is left out now and then.
func (g *maker) pieces(name, lengths string, n, most int) {
	chords := [][]float64{{1, 0, 1, 0}, {0, 1, 0, 1}}
	x, long := make([]float64, n*most*4), make([]float64, n)
	for i := range n {
		long[i] = float64(most/2 + g.src.IntN(most-most/2+1))
		chord := g.src.IntN(2)
		for t := range int(long[i]) {
			if g.src.Float64() < 0.3 {
				chord = 1 - chord
			}
			for k, on := range chords[chord] {
				if g.src.Float64() < 0.9 {
					x[(i*most+t)*4+k] = on
				}
			}
		}
	}
	g.put(name, data.Dense(x, n, most, 4))
	g.vector(lengths, long...)
}
