//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorThermostatTurn64(x, v, g, u, xi, e []float64, c *Turn) int { return 0 }

func vectorThermostatTurnDrawing64(x, v, g, u, xi, e []float64, c *Turn, d *Draws, rounds int) int {
	return 0
}

func vectorDampTurn64(x, v, g, u []float64, c *[6]float64) int { return 0 }

func vectorDampTurnDrawing64(x, v, g, u []float64, c *[6]float64, d *Draws, rounds int) int { return 0 }

func vectorLangevinTurn64(x, g, u []float64, c *[2]float64) int { return 0 }

func vectorLangevinTurnDrawing64(x, g, u []float64, c *[2]float64, d *Draws, rounds int) int {
	return 0
}

func vectorPreconditionedTurn64(x, g, u, q []float64, c *[6]float64) int { return 0 }

func vectorPreconditionedTurnDrawing64(x, g, u, q []float64, c *[6]float64, d *Draws, rounds int) int {
	return 0
}
