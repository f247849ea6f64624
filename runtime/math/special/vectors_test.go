package special

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// sliceForms pairs the slice forms with the scalar functions.
var sliceForms = []struct {
	name   string
	slice  func(dst, src []float64)
	single func(dst, src []float32)
	scalar func(float64) float64
}{
	{"Exp", ExpSlice, ExpSlice32, Exp}, {"Expm1", Expm1Slice, Expm1Slice32, Expm1},
	{"Log", LogSlice, LogSlice32, Log},
	{"Log1p", Log1pSlice, Log1pSlice32, Log1p}, {"Tanh", TanhSlice, TanhSlice32, Tanh},
	{"Sigmoid", SigmoidSlice, SigmoidSlice32, Sigmoid},
	{"Softplus", SoftplusSlice, SoftplusSlice32, Softplus},
	{"LogSigmoid", LogSigmoidSlice, LogSigmoidSlice32, LogSigmoid},
	{"LogNormalCDF", LogNormalCDFSlice, LogNormalCDFSlice32, LogNormalCDF},
}

// atLevels runs a test with every set of instructions that there is here.
func atLevels(t *testing.T, f func(t *testing.T)) {
	defer func(l cpu.Level) { level = l }(level)
	for _, l := range cpu.Levels() {
		level = l
		t.Run(l.String(), f)
	}
}

// edges are where functions change their formula, and what lies around.
var edges = func() []float64 {
	at := []float64{0, 0x1p-1074, 0x1p-1022, 0x1p-60, 0x1p-54, 0x1p-53, 0x1p-28, 0x1p-27, 0.5,
		math.Sqrt2 / 2, 1, math.Sqrt2, math.Ln2, 2, 20, 37, 39, 40,
		86.9, 87, 88.7, 89, 103.9, 104, 707.9, 708, 709.78, 710, 745, 746, 1000, 0x1p52, 0x1p60,
		math.MaxFloat64, math.Inf(1), math.NaN()}
	var all []float64
	for _, x := range at {
		for _, v := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
			all = append(all, v, -v)
		}
	}
	return all
}()

// sample fills x with numbers of one kind: of any bits, of the middle, near 1,
// far away, or with an edge here and there.
func sample(g *rand.Rand, x []float64) {
	kind := g.IntN(6)
	for i := range x {
		switch kind {
		case 0:
			x[i] = math.Float64frombits(g.Uint64())
		case 1:
			x[i] = g.NormFloat64()
		case 2:
			x[i] = 1 + g.NormFloat64()*0.01
		case 3:
			x[i] = g.NormFloat64() * 400
		case 4:
			x[i] = math.Exp(g.NormFloat64() * 20)
		case 5:
			if x[i] = g.NormFloat64() * 10; g.IntN(10) == 0 {
				x[i] = edges[g.IntN(len(edges))]
			}
		}
	}
}

// differ reports whether two numbers differ in their bits; a NaN is a NaN.
func differ(x, y float64) bool {
	return math.Float64bits(x) != math.Float64bits(y) && (x == x || y == y)
}

// Slices of every length and alignment give the bits of the scalar functions,
// at every level, in place and not, and touch nothing beyond their end.
func TestSlicesAreScalars(t *testing.T) {
	rounds := sliceRounds
	atLevels(t, func(t *testing.T) {
		g := rand.New(rand.NewPCG(1, 2))
		buffer, out := make([]float64, 300), make([]float64, 300)
		in32, out32 := make([]float32, 300), make([]float32, 300)
		for round := range rounds {
			at := g.IntN(9)
			n := g.IntN(40)
			if round%4 == 0 {
				n = 200 + g.IntN(80)
			}
			x, y := buffer[at:at+n], out[at:at+n]
			x32, y32 := in32[at:at+n], out32[at:at+n]
			for _, c := range sliceForms {
				sample(g, x)
				for i, v := range x {
					x32[i] = float32(v)
				}
				out[at+n], out32[at+n] = 17, 17
				c.slice(y, x)
				c.single(y32, x32)
				for i, v := range x {
					if want := c.scalar(v); differ(y[i], want) {
						t.Fatalf("%s(%v = %#x) = %v in a slice, %v alone", c.name, v,
							math.Float64bits(v), y[i], want)
					}
					want := float32(c.scalar(float64(x32[i])))
					if c.name == "Exp" {
						want = Exp32(x32[i])
					}
					if differ(float64(y32[i]), float64(want)) {
						t.Fatalf("%s(%v) = %v in a slice in single precision, %v alone", c.name,
							x32[i], y32[i], want)
					}
				}
				if out[at+n] != 17 || out32[at+n] != 17 {
					t.Fatalf("%s writes beyond the end", c.name)
				}
				c.slice(x, x)
				c.single(x32, x32)
				for i := range x {
					if differ(x[i], y[i]) || differ(float64(x32[i]), float64(y32[i])) {
						t.Fatalf("%s: in place %v and %v, else %v and %v", c.name, x[i], x32[i],
							y[i], y32[i])
					}
				}
			}
		}
	})
}

// Exp32 is within its error of Exp, and exact where Exp is.
func TestExp32(t *testing.T) {
	worst := 0.0
	check := func(x float32) {
		got, want := float64(Exp32(x)), Exp(float64(x))
		if r := float32(want); r == 0 || r != r || math.IsInf(float64(r), 0) {
			if differ(got, float64(r)) {
				t.Fatalf("Exp32(%v) = %v, want %v", x, got, r)
			}
			return
		}
		_, e := math.Frexp(want)
		worst = max(worst, math.Abs(got-want)/math.Ldexp(1, max(e-24, -149)))
	}
	for b := uint32(0); b < 1<<31-2003; b += 2003 {
		check(math.Float32frombits(b))
		check(math.Float32frombits(b | 1<<31))
	}
	for i := range 2000 {
		check(float32(i-1000) * math.Ln2 / 10)
	}
	for _, x := range edges {
		check(float32(x))
	}
	if worst > 1.1 {
		t.Errorf("error of %v ulp", worst)
	}
	t.Logf("error of %v ulp", worst)
}
