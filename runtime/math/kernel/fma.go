package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// fma64 returns x·y + z, rounded once.
func fma64(x, y, z float64) float64 { return math.FMA(x, y, z) }

// fma32 returns x·y + z, rounded once.
func fma32(x, y, z float32) float32 { return special.FMA32(x, y, z) }

// muladd64 returns x·y + z, the product rounded before it is added; muladd32
// rounds once: in single precision steps are made of fused products, which
// every machine with vectors has, where double precision is kept to the
// arithmetic of the Go language.
func muladd64(x, y, z float64) float64 { return float64(x*y) + z }

func muladd32(x, y, z float32) float32 { return special.FMA32(x, y, z) }

// kicked64 returns v + (g·t + sd·u); kicked32 rounds with each product, that
// of the noise first.
func kicked64(v, g, u, t, sd float64) float64 { return v + (float64(g*t) + float64(sd*u)) }

func kicked32(v, g, u, t, sd float32) float32 {
	return special.FMA32(g, t, special.FMA32(sd, u, v))
}
