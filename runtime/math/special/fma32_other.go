//go:build !arm64

package special

// FMA32 returns x·y + z, rounded once.
func FMA32(x, y, z float32) float32 { return softFMA32(x, y, z) }
