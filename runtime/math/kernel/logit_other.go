//go:build !amd64 || purego

package kernel

// There is no assembly for logistic regressions here, and nobody calls these.

func vectorLogit64(
	g []float64, r Rows, w []float64, bias float64, y, d []float64, lanes *sumLanes, at, n int,
) int {
	return 0
}

func vectorLogit32(
	g []float32, r Rows32, w []float32, bias float32, y, d []float32, lanes *sumLanes, at, n int,
) int {
	return 0
}

func vectorRecordLogit64(
	g []float64, p *Picked, w []float64, bias float64, y, d []float64, lanes *sumLanes, at, n int,
) int {
	return 0
}

func vectorRecordLogit32(
	g []float32, p *Picked, w []float32, bias float32, y, d []float32, lanes *sumLanes, at, n int,
) int {
	return 0
}

func vectorRecordDifference(
	g []float64, p *Picked, w, anchor []float64, bias *[2]float64, weight, d, e []float64,
	lanes *sumLanes, at, n int,
) int {
	return 0
}
