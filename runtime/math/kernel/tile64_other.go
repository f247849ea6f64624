//go:build !amd64 || purego

package kernel

func tileShape64() tileShape { return portableShape }

// tile64 is portableTile64.
func tile64(c []float64, ci int, a []float64, ai, ap int, b []float64, bp, k, rows, cols int, zero bool) {
	portableTile64(c, ci, a, ai, ap, b, bp, k, rows, cols, zero)
}

// pack64 is portablePack64 from the first column on.
func pack64(dst, src []float64, bp, bj, kn, cols, width int) {
	portablePack64(dst, src, bp, bj, kn, 0, cols, width)
}

// There are no lines here: nobody calls line64.
func lineShape64() (wide, lanes int) { return 0, 0 }

func line64(c, a []float64, ap int, b []float64, bp, k, cols, wide int, zero bool) {}
