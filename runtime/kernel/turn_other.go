//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorThermostatTurn(x, v, g, u, xi, e []float64, c *Turn) int { return 0 }

func vectorDampTurn(x, v, g, u []float64, c *[6]float64) int { return 0 }

func vectorLangevinTurn(x, g, u []float64, c *[2]float64) int { return 0 }

func vectorPreconditionedTurn(x, g, u, q []float64, c *[6]float64) int { return 0 }

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {}
