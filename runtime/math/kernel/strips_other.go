//go:build !amd64 || purego

package kernel

// There is no assembly for strips here, and nobody calls this.

func (l *stripLoop) wide(n int) {}

func vectorFillStrips(scratch, numbers []float64, w int) {}
