//go:build !(amd64 || arm64) || purego

package kernel

// There are no vectors here: the level is Portable. What reports whether it has done
// its work says no, and nobody calls the others.

func tileShape64() tileShape { return portableShape }

// tile64 is portableTile64.
func tile64(
	c []float64, ci int, a []float64, ai, ap int, b []float64, bp, k, rows, cols int, zero bool,
) {
	portableTile64(c, ci, a, ai, ap, b, bp, k, rows, cols, zero)
}

// pack64 is portablePack64 from the first column on.
func pack64(dst, src []float64, bp, bj, kn, cols, width int) {
	portablePack64(dst, src, bp, bj, kn, 0, cols, width)
}

// lineShape64 says that there is no assembly for lines, so line64 is not called.
func lineShape64() (wide, lanes int) { return 0, 0 }

func line64(c, a []float64, ap int, b []float64, bp, k, cols, wide int, zero bool) {}

func vectorSantaDrift64(x, p, xi, g, e, c []float64) {}

func vectorSantaKick64(x, p, f, u, xi, q, g, e, c []float64) {}

func vectorSantaEuler64(x, p, f, u, xi, q, c []float64) {}

func vectorAdam64(x, p, f, q, c []float64) {}

func vectorRMSprop64(x, f, q, c []float64) {}

func vectorMomentum64(x, p, f, c []float64) {}

func addRelu64(dst, x, bias []float64, rows int) bool { return false }

func positive64(dst, a, x []float64) bool { return false }

func sumRows64(dst, w []float64, l entries64, h, panel int, zero bool) { panic("no vectors") }

func addRows64(g, row []float64, l entries64, lo, hi, h int) { panic("no vectors") }

func gatherVec64(dst []float64, r Rows, w []float64, acc bool) bool { return false }

func scatterVec64(g []float64, r Rows, d []float64) bool { return false }

func vectorDriftThermostat64(x, v, xi, e, c []float64) {}

func vectorKickDriftThermostat64(x, v, g, u, xi, e, c []float64) {}

func vectorKickDrift64(x, v, g, u, c []float64) {}

func vectorDriftDamp64(x, v, c []float64) {}

func vectorLangevin64(x, g, u, c []float64) {}

func vectorMultiply64(x, y []float64) {}

func vectorThermostatJoin64(x, v, g, u, xi, e []float64, c *Join) int { return 0 }

func vectorThermostatJoinDrawing64(x, v, g, u, xi, e []float64, c *Join, d *Draws, rounds int) int {
	return 0
}

func vectorDampJoin64(x, v, g, u []float64, c *[6]float64) int { return 0 }

func vectorDampJoinDrawing64(x, v, g, u []float64, c *[6]float64, d *Draws, rounds int) int {
	return 0
}

func vectorLangevinJoin64(x, g, u []float64, c *[2]float64) int { return 0 }

func vectorLangevinJoinDrawing64(x, g, u []float64, c *[2]float64, d *Draws, rounds int) int {
	return 0
}

func vectorPreconditionedJoin64(x, g, u, q []float64, c *[6]float64) int { return 0 }

func vectorPreconditionedJoinDrawing64(
	x, g, u, q []float64, c *[6]float64, d *Draws, rounds int,
) int {
	return 0
}
