package sketch

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestMoments holds running moments against two passes, far from 0 where sums of squares would lose
// everything, of numbers that stand in parts of a draw.
func TestMoments(t *testing.T) {
	k := New([]Span{{3, 2}, {0, 1}}, 0, 1000)
	const n = 50
	var all [][]float64
	for i := range n {
		all = append(all, []float64{1e9 + math.Sin(float64(i)), -1, -1, float64(i * i), 3})
		k.Add(all[i])
	}
	for i, at := range []int{3, 4, 0} {
		mean, square := 0.0, 0.0
		for _, d := range all {
			mean += d[at] / n
		}
		for _, d := range all {
			square += (d[at] - mean) * (d[at] - mean)
		}
		var c Chain
		k.Chain(i, &c)
		if math.Abs(c.Mean-mean) > 1e-15*math.Abs(mean)*n ||
			math.Abs(c.Variance-square/(n-1)) > 1e-6*square+1e-20 || c.Value != nil {
			t.Errorf("entry %d: %+v, want %v, %v", at, c, mean, square/(n-1))
		}
	}
}

// encoded is what a checkpoint has of a sketch.
func encoded(t *testing.T, k *Sketch) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := k.WriteTo(&b)
	if err != nil || int(n) != k.Size() || b.Len() != k.Size() {
		t.Fatalf("%d bytes of %d written: %v", n, k.Size(), err)
	}
	return b.Bytes()
}

// TestResume goes on from a stored sketch at every point, read from in between, with the same bits.
func TestResume(t *testing.T) {
	for i, entries := range []int{0, 9, 16, 16} {
		most := []int64{150, 150, 150, 1 << 20}[i]
		all := draws(sequences[3].next, 150, 5, 3)
		spans := []Span{{1, 2}, {4, 1}}
		whole := New(spans, entries, most)
		for i, d := range all {
			if i%11 == 0 {
				again := New(spans, entries, most)
				if err := again.UnmarshalBinary(encoded(t, whole)); err != nil {
					t.Fatal(err)
				}
				var c Chain
				again.Chain(1, &c) // to look changes nothing
				for _, d := range all[i:] {
					again.Add(d)
				}
				defer func() {
					if !bytes.Equal(encoded(t, whole), encoded(t, again)) {
						t.Errorf("%d entries: resumed at draw %d the bits differ", entries, i)
					}
				}()
			}
			whole.Add(d)
		}
		for _, other := range []*Sketch{New(spans[:1], entries, most), New(spans, entries+8, most)} {
			if other.UnmarshalBinary(encoded(t, whole)) == nil {
				t.Errorf("a sketch of other numbers or entries is taken")
			}
		}
		if whole.UnmarshalBinary(nil) == nil {
			t.Error("nothing is taken for a sketch")
		}
	}
}

// TestJoin holds what chains say together against all their draws.
func TestJoin(t *testing.T) {
	const n, chains = 2048, 4
	for _, c := range []struct {
		name  string
		shift float64 // between chains
		rho   float64
		ess   float64 // of a chain of this autocorrelation, all chains together
	}{
		{"independent", 0, 0, n * chains},
		{"slow", 0, 0.9, n * chains * (1 - 0.9) / (1 + 0.9)},
		{"apart", 3, 0, math.NaN()},
	} {
		r := rand.New(rand.NewPCG(11, 5))
		var known []Chain
		var all [][]float64
		for k := range chains {
			s, x := New([]Span{{0, 1}}, 16, n), 0.0
			all = append(all, nil)
			for range n {
				x = c.rho*x + math.Sqrt(1-c.rho*c.rho)*r.NormFloat64()
				y := x + c.shift*float64(k)
				s.Add([]float64{y})
				all[k] = append(all[k], y)
			}
			known = append(known, Chain{})
			s.Chain(0, &known[k])
		}
		got, want := Join(known), diagnose.Summarize(all)
		if math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.SD-want.SD) > 1e-12 ||
			got.Count != n*chains {
			t.Errorf("%s: mean %v, sd %v of %v, want %v, %v", c.name, got.Mean, got.SD, got.Count,
				want.Mean, want.SD)
		}
		if rhat := diagnose.RhatBasic(all); math.Abs(got.Rhat-rhat) > 1e-6 {
			t.Errorf("%s: R-hat %v, of the draws %v", c.name, got.Rhat, rhat)
		}
		// 4 chains of 8 to 15 batches: a standard deviation of 18 % to 25 %.
		if ratio := got.ESSMean / c.ess; c.ess == c.ess && (ratio < 0.5 || ratio > 2) {
			t.Errorf("%s: effective size %v, want about %v", c.name, got.ESSMean, c.ess)
		}
		if c.shift > 0 && (got.ESSMean > 2*chains || got.Rhat < 2) { // about one of each
			t.Errorf("chains that do not agree have an effective size of %v", got.ESSMean)
		}
		if e := got.SD / math.Sqrt(got.ESSMean); math.Abs(e-got.MCSEMean) > 1e-12 {
			t.Errorf("%s: error %v of the mean, want %v", c.name, got.MCSEMean, e)
		}
	}
}

// TestUndefined: what cannot be said is NaN, as of all draws.
func TestUndefined(t *testing.T) {
	of := func(xs ...float64) Summary {
		k := New([]Span{{0, 1}}, 16, 1000)
		for _, x := range xs {
			k.Add([]float64{x})
		}
		var c Chain
		k.Chain(0, &c)
		return Join([]Chain{c})
	}
	nan := math.NaN
	for name, s := range map[string]Summary{"nothing": of(), "not a number": of(1, nan(), 2),
		"infinite": of(1, math.Inf(1), 2)} {
		if x := []float64{s.Mean, s.SD, s.MCSEMean, s.ESSMean, s.Rhat, s.Quantile[0],
			s.Bound[0]}; !allNaN(x) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := of(2); s.Mean != 2 || !allNaN([]float64{s.SD, s.MCSEMean, s.ESSMean, s.Rhat}) ||
		s.Quantile[2] != 2 || s.Bound[2] != 0 {
		t.Errorf("one draw: %+v", s)
	}
	if s := of(2, 2, 2); s.SD != 0 || s.Quantile[4] != 2 ||
		!allNaN([]float64{s.MCSEMean, s.ESSMean, s.Rhat}) {
		t.Errorf("a constant: %+v", s)
	}
}

func allNaN(x []float64) bool {
	for _, v := range x {
		if v == v {
			return false
		}
	}
	return true
}

// TestMemory: BytesPer is what a sketch holds, and a draw allocates nothing.
func TestMemory(t *testing.T) {
	const numbers = 1000
	for i, entries := range []int{0, 16, 64, 64, 16} {
		most := []int64{1000, 1000, 1000, 1 << 20, 60}[i]
		k := New([]Span{{0, numbers}}, entries, most)
		bytes := 0
		for _, list := range k.doubles() {
			bytes += 8 * len(list)
		}
		for _, list := range [][]float32{k.batches.means, k.ranks.wait, k.ranks.value} {
			bytes += 4 * len(list)
		}
		for _, list := range []bounds{k.ranks.low, k.ranks.high} {
			bytes += 2*len(list.short) + 4*len(list.long)
		}
		if bytes != numbers*BytesPer(entries, most) {
			t.Errorf("%d entries: %d bytes a number, not %d", entries, bytes/numbers,
				BytesPer(entries, most))
		}
		d := make([]float64, numbers)
		if a := testing.AllocsPerRun(50, func() { d[3]++; k.Add(d) }); a > 0 {
			t.Errorf("%d entries: %v allocations a draw", entries, a)
		}
	}
}

// TestRoom: a sketch of a chain that may have few draws takes less memory, and is the same as one
// of a chain that may have many, in its checkpoints too. It goes on as one of more draws.
func TestRoom(t *testing.T) {
	const numbers, entries, many = 5, 16, 1000
	all := draws(sequences[0].next, 80, numbers, 1)
	state := func(k *Sketch) []byte { return encoded(t, k) }
	for _, most := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 31, 40} {
		few := New([]Span{{0, numbers}}, entries, int64(most))
		long := New([]Span{{0, numbers}}, entries, many)
		if most < 16 && BytesPer(entries, int64(most)) >= BytesPer(entries, many) {
			t.Errorf("%d draws take %d bytes", most, BytesPer(entries, int64(most)))
		}
		for i := range most {
			few.Add(all[i])
			long.Add(all[i])
			var a, b Chain
			for n := range numbers {
				few.Chain(n, &a)
				long.Chain(n, &b)
				if fmt.Sprint(a) != fmt.Sprint(b) {
					t.Fatalf("draw %d of %d: %v, not %v", i, most, a, b)
				}
			}
		}
		if !bytes.Equal(state(few), state(long)) {
			t.Fatalf("%d draws: another checkpoint", most)
		}
		for _, more := range []int{most, most + 1, most + 13, many} {
			next := New([]Span{{0, numbers}}, entries, int64(more))
			if err := next.UnmarshalBinary(state(few)); err != nil {
				t.Fatalf("%d of %d draws: %v", most, more, err)
			}
			whole := New([]Span{{0, numbers}}, entries, many)
			for i := range min(more, len(all)) {
				if whole.Add(all[i]); i >= most {
					next.Add(all[i])
				}
			}
			if !bytes.Equal(state(next), state(whole)) {
				t.Fatalf("%d of %d draws: another checkpoint", most, more)
			}
		}
		few.Add(all[most]) // one more than there may be
		if few.Count() != int64(most)+1 {
			t.Error("a draw that is too many is not counted")
		}
		if most > 0 {
			less := New([]Span{{0, numbers}}, entries, int64(most-1))
			if less.UnmarshalBinary(state(long)) == nil && capacityOf(most) != capacityOf(most-1) {
				t.Errorf("%d draws fit where there may be %d", most, most-1)
			}
		}
	}
}

func capacityOf(draws int) [3]int {
	a, b, c := capacity(16, int64(draws))
	return [3]int{a, b, c}
}

func BenchmarkAdd(b *testing.B) {
	const numbers = 10000
	all := draws(sequences[0].next, 64, numbers, 1)
	k := New([]Span{{0, numbers}}, DefaultEntries, 1<<16-1)
	i := 0
	for b.Loop() {
		k.Add(all[i%len(all)])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/numbers, "ns/number")
}
