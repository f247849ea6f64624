//go:build !amd64 || purego

package kernel

// There are no vectors here: nobody calls these.

func vectorWindowMax64(dst, x []float64, w Windows) int { return 0 }

func vectorWindowMax32(dst, x []float32, w Windows) int { return 0 }

func vectorWindowMaxAdd64(dst, x, most, cot []float64, w Windows) int { return 0 }

func vectorWindowMaxAdd32(dst, x, most, cot []float32, w Windows) int { return 0 }
