package rng

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

var _ rand.Source = (*Source)(nil)

// TestPrefix: an element does not depend on how many are asked for.
func TestPrefix(t *testing.T) {
	s := New(5, 2, Test)
	for _, fill := range []func(uint64, []float64){s.Normals, s.Uniforms} {
		long := make([]float64, 1000)
		fill(9, long)
		for n := range 300 {
			x := make([]float64, n+1)
			x[n] = 42
			fill(9, x[:n])
			for i := range n {
				if x[i] != long[i] {
					t.Fatalf("element %d of %d is %v, want %v", i, n, x[i], long[i])
				}
			}
			if x[n] != 42 {
				t.Fatalf("wrote beyond %d elements", n)
			}
		}
	}
}

// TestGolden pins the draws: results recorded with a seed stay what they are.
func TestGolden(t *testing.T) {
	s := New(1, 0, Noise)
	var z [18]float64
	s.Normals(3, z[:])
	g := s.At(3)
	got := []uint64{math.Float64bits(z[0]), math.Float64bits(z[1]), math.Float64bits(z[17]),
		g.Uint64()}
	s.Uniforms(3, z[:])
	got = append(got, math.Float64bits(z[0]), math.Float64bits(z[9]))
	var y [34]float32
	s.Normals32(3, y[:])
	got = append(got, uint64(math.Float32bits(y[0])), uint64(math.Float32bits(y[17])),
		uint64(math.Float32bits(y[33])))
	want := []uint64{0xbfdbac704907046e, 0xbff705df33fa7957, 0xbff140cee1a6f9c9, 0x1870ab6b798be6eb,
		0x3fc669a8a71bf79c, 0x3fd6ecda91954e62, 0x3ee1d6cb, 0x3f78cc66, 0x3efb42a1}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("draw %d is %#x, want %#x", i, got[i], want[i])
		}
	}
}

// TestNormals tests a bulk stream: moments, distribution, tails, and no
// correlation, of values or squares, within pairs, between neighbours and
// between lanes.
func TestNormals(t *testing.T) {
	x := make([]float64, 1<<20)
	New(2, 0, Test).Normals(0, x)
	testNormals(t, x, 1)
}

func TestNormals32(t *testing.T) {
	x, y := make([]float64, 1<<20), make([]float32, 1<<20)
	New(2, 0, Test).Normals32(0, y)
	for i, v := range y {
		x[i] = float64(v)
	}
	testNormals(t, x, 16)
}

// testNormals is given how far apart the two of a pair are.
func testNormals(t *testing.T, x []float64, apart int) {
	const n = 1 << 20
	sums := [9]float64{}
	tail := [7]int{}
	for _, v := range x {
		p := 1.0
		for k := range sums {
			sums[k] += p / n
			p *= v
		}
		for k := range tail {
			if math.Abs(v) > float64(k) {
				tail[k]++
			}
		}
	}
	// Of the power k the mean is (k-1)!! or 0, of its square (2k-1)!!.
	double := func(k int) float64 {
		p := 1.0
		for ; k > 1; k -= 2 {
			p *= float64(k)
		}
		return p
	}
	for k := 1; k < len(sums); k++ {
		mean := 0.0
		if k%2 == 0 {
			mean = double(k - 1)
		}
		se := math.Sqrt((double(2*k-1) - mean*mean) / n)
		if math.Abs(sums[k]-mean) > 5*se {
			t.Errorf("moment %d is %v, want %v ± %v", k, sums[k], mean, se)
		}
	}
	for k := range tail {
		want := 2 * n * special.NormalCDF(-float64(k))
		if math.Abs(float64(tail[k])-want) > 5*math.Sqrt(want)+1 {
			t.Errorf("%d beyond %d, want %.1f", tail[k], k, want)
		}
	}
	if d := kolmogorov(x[:1<<17], special.NormalCDF); d > ksBound {
		t.Errorf("Kolmogorov–Smirnov %v", d)
	}
	sq := make([]float64, n)
	for i, v := range x {
		sq[i] = v * v
	}
	for _, lag := range []int{1, 2, 3, 4, 8, 14, 15, 16, 17, 32, 128, 1024} {
		if c := correlation(x[lag:], x[:n-lag]); math.Abs(c) > 5 {
			t.Errorf("correlation at lag %d: %v standard errors", lag, c)
		}
		if c := correlation(sq[lag:], sq[:n-lag]); math.Abs(c) > 5 {
			t.Errorf("correlation of squares at lag %d: %v standard errors", lag, c)
		}
	}
	// The angle of a pair is uniform and independent of the radius.
	const cells, rings = 32, 4
	counts, expected := make([]int, cells*rings), make([]float64, cells*rings)
	for i := range n {
		j := i + apart
		if i/apart%2 == 1 {
			continue
		}
		a := int((math.Atan2(x[i], x[j])/(2*math.Pi) + 0.5) * cells)
		u := math.Exp(-0.5 * (sq[i] + sq[j])) // uniform
		counts[min(a, cells-1)*rings+min(int(u*rings), rings-1)]++
	}
	for i := range expected {
		expected[i] = n / 2.0 / float64(len(expected))
	}
	if z := chiSquare(counts, expected); math.Abs(z) > 4.5 {
		t.Errorf("angles and radii: %v standard errors", z)
	}
}

func TestUniforms(t *testing.T) {
	const n = 1 << 18
	x := make([]float64, n)
	New(3, 1, Test).Uniforms(7, x)
	moments(t, "uniform", x, 0.5, 1.0/12)
	if d := kolmogorov(x, func(u float64) float64 { return u }); d > ksBound {
		t.Errorf("Kolmogorov–Smirnov %v", d)
	}
	const side = 16
	counts, expected := make([]int, side*side), make([]float64, side*side)
	for i := 0; i < n; i += 2 {
		counts[int(x[i]*side)*side+int(x[i+1]*side)]++
	}
	for i := range expected {
		expected[i] = n / 2.0 / (side * side)
	}
	if z := chiSquare(counts, expected); math.Abs(z) > 4.5 {
		t.Errorf("pairs: %v standard errors", z)
	}
	for _, v := range x {
		if !(v > 0 && v < 1) {
			t.Fatalf("%v is not inside (0, 1)", v)
		}
	}
	if lo, hi := unit(0), unit(math.MaxUint64); lo != 0x1p-53 || hi != 1-0x1p-53 {
		t.Errorf("ends are %v and %v", lo, hi)
	}
}

// TestIndependence correlates streams that differ in one part of their name
// alone, by a little or by one bit, values and squares.
func TestIndependence(t *testing.T) {
	const n = 1 << 14
	base := make([]float64, n)
	New(7, 0, Noise).Normals(100, base)
	other := make([]float64, n)
	try := func(what string, s Stream, step uint64) {
		s.Normals(step, other)
		sq := [2][]float64{make([]float64, n), make([]float64, n)}
		for i := range n {
			sq[0][i], sq[1][i] = base[i]*base[i], other[i]*other[i]
		}
		for lag := range 3 {
			if c := correlation(base[lag:], other[:n-lag]); math.Abs(c) > 5 {
				t.Errorf("%s: correlation %v standard errors at lag %d", what, c, lag)
			}
			if c := correlation(sq[0][lag:], sq[1][:n-lag]); math.Abs(c) > 5 {
				t.Errorf("%s: correlation of squares %v standard errors at lag %d", what, c, lag)
			}
		}
	}
	for step := uint64(101); step < 105; step++ {
		try("step", New(7, 0, Noise), step)
	}
	for chain := 1; chain < 4; chain++ {
		try("chain", New(7, chain, Noise), 100)
	}
	for p := Batch; p <= Test; p++ {
		try("purpose", New(7, 0, p), 100)
	}
	for bit := range 64 {
		try("seed", New(7^1<<bit, 0, Noise), 100)
	}
}

// TestAcrossSteps: the sequence that one index makes over steps is as good as
// that along a step; a chain moves by it.
func TestAcrossSteps(t *testing.T) {
	const steps, width = 1 << 14, 20
	s := New(4, 3, Noise)
	x := make([][]float64, width)
	row := make([]float64, width)
	for step := range uint64(steps) {
		s.Normals(step, row)
		for i, v := range row {
			x[i] = append(x[i], v)
		}
	}
	for i := range x {
		moments(t, "normal over steps", x[i], 0, 1)
		if d := kolmogorov(x[i], special.NormalCDF); d > ksBound {
			t.Errorf("index %d: Kolmogorov–Smirnov %v", i, d)
		}
		for _, lag := range []int{1, 2} {
			if c := correlation(x[i][lag:], x[i][:steps-lag]); math.Abs(c) > 5 {
				t.Errorf("index %d: autocorrelation %v standard errors at lag %d", i, c, lag)
			}
		}
		for j := range i {
			if c := correlation(x[i], x[j]); math.Abs(c) > 5 {
				t.Errorf("indices %d, %d: correlation %v standard errors", i, j, c)
			}
		}
	}
	// First words of sequential sources, over steps.
	u := make([]float64, steps)
	for step := range u {
		g := s.At(uint64(step))
		u[step] = g.Float64()
	}
	if d := kolmogorov(u, func(v float64) float64 { return v }); d > ksBound {
		t.Errorf("sources: Kolmogorov–Smirnov %v", d)
	}
	if c := correlation(u[1:], u[:steps-1]); math.Abs(c) > 5 {
		t.Errorf("sources: autocorrelation %v standard errors", c)
	}
}

func TestIntNPerm(t *testing.T) {
	g := New(8, 0, Test).At(0)
	const n, draws = 24, 240000
	counts, expected := make([]int, n), make([]float64, n)
	for range draws {
		counts[g.IntN(n)]++
	}
	for i := range expected {
		expected[i] = draws / n
	}
	if z := chiSquare(counts, expected); math.Abs(z) > 4.5 {
		t.Errorf("IntN: %v standard errors", z)
	}
	// All 24 permutations of four.
	clear(counts)
	var p [4]int
	for range draws {
		g.Perm(p[:])
		seen := 0
		for _, v := range p {
			seen |= 1 << v
		}
		if seen != 15 {
			t.Fatalf("%v is no permutation", p)
		}
		rank := 0
		for i := range p {
			rank *= len(p) - i
			for j := i + 1; j < len(p); j++ {
				if p[j] < p[i] {
					rank++
				}
			}
		}
		counts[rank]++
	}
	if z := chiSquare(counts, expected); math.Abs(z) > 4.5 {
		t.Errorf("Perm: %v standard errors", z)
	}
}

// TestPerm32: the numbers of Perm, in 32 bits, and the same words drawn.
func TestPerm32(t *testing.T) {
	for n := range 100 {
		g := New(3, 1, Test).At(uint64(n))
		h := g
		wide, narrow := make([]int, n), make([]uint32, n)
		g.Perm(wide)
		h.Perm32(narrow)
		for i, x := range wide {
			if x != int(narrow[i]) {
				t.Fatalf("of %d: place %d has %d, not %d", n, i, narrow[i], x)
			}
		}
		if g.Uint64() != h.Uint64() {
			t.Fatalf("of %d: other words were drawn", n)
		}
	}
}

func TestAllocations(t *testing.T) {
	s := New(1, 0, Test)
	x := make([]float64, 100)
	var perm [10]int
	alpha := [3]float64{0.1, 1, 2}
	if n := testing.AllocsPerRun(20, func() {
		s.Normals(1, x)
		s.Uniforms(1, x)
		g := s.At(1)
		g.Perm(perm[:])
		g.Dirichlet(x[:3], alpha[:])
		x[0] = g.Normal() + g.Gamma(0.5) + g.StudentT(3) +
			float64(g.Poisson(50)+g.Binomial(100, 0.4)+g.Categorical(alpha[:]))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSpots: a list that is shuffled as it grows, in two parts, has all orders equally often.
func TestSpots(t *testing.T) {
	const lists = 24 * 2000
	count := map[[4]int]int{}
	for k := range uint64(lists) {
		src := New(3, 0, Test).At(k)
		var spots [4]uint32
		src.Spots(spots[:3], 0)
		src.Spots(spots[3:], 3)
		var list [4]int
		for i, s := range spots {
			list[i] = list[s]
			list[s] = i
		}
		count[list]++
	}
	for list, c := range count { // sd 44
		if len(count) != 24 || c < 1780 || c > 2220 {
			t.Fatalf("%d orders; %v came %d times, want 2000", len(count), list, c)
		}
	}
}
