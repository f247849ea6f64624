//go:build !amd64 || purego

package kernel

// There are no vectors here, and nobody calls these.

func vectorDriftThermostat64(x, v, xi, e, c []float64) {}

func vectorKickDriftThermostat64(x, v, g, u, xi, e, c []float64) {}

func vectorKickDrift64(x, v, g, u, c []float64) {}

func vectorDriftDamp64(x, v, c []float64) {}

func vectorLangevin64(x, g, u, c []float64) {}

func vectorMultiply64(x, y []float64) {}
