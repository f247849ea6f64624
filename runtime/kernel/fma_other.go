//go:build !arm64

package kernel

// fma32 returns x·y + z, rounded once.
func fma32(x, y, z float32) float32 { return softFMA32(x, y, z) }
