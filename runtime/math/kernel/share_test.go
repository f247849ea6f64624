package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// Products that a team shares have the bits of one goroutine, at every level, whatever the sides.
func TestTeamGemm(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	w := team.New(3, nil)
	defer w.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for _, level = range cpu.Levels() {
		for _, s := range [][3]int{{100, 123, 90}, {300, 61, 70}, {1, 2000, 600}, {1200, 1, 900},
			{14, 16, 5000}, {101, 203, 53}} {
			m, n, k := s[0], s[1], s[2]
			for flags := range 8 {
				transA, transB, acc := flags&1 > 0, flags&2 > 0, flags&4 > 0
				a, b, c := randoms(r, m*k), randoms(r, k*n), randoms(r, m*n)
				lda, ldb := k, n
				if transA {
					lda = m
				}
				if transB {
					ldb = k
				}
				want := slices.Clone(c)
				Gemm(Matrix{want, n}, Matrix{a, lda}, Matrix{b, ldb}, m, n, k, transA, transB, acc)
				TeamGemm(w, Matrix{c, n}, Matrix{a, lda}, Matrix{b, ldb}, m, n, k, transA, transB, acc)
				if !slices.Equal(c, want) {
					t.Errorf("%v, %v, flags %d: other bits in a team", level, s, flags)
				}
				single := func(x []float64) []float32 {
					out := make([]float32, len(x))
					Narrow(out, x)
					return out
				}
				a32, b32, c32, d32 := single(a), single(b), single(want), single(want)
				Gemm32(Matrix32{c32, n}, Matrix32{a32, lda}, Matrix32{b32, ldb}, m, n, k, transA, transB,
					acc)
				TeamGemm32(w, Matrix32{d32, n}, Matrix32{a32, lda}, Matrix32{b32, ldb}, m, n, k, transA,
					transB, acc)
				if !slices.Equal(c32, d32) {
					t.Errorf("%v, %v, flags %d: other bits in a team, single precision", level, s, flags)
				}
			}
		}
	}
}

// Likewise products with sparse rows and with their transpose.
func TestTeamSparse(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	w := team.New(3, nil)
	defer w.Close()
	r := rand.New(rand.NewPCG(3, 4))
	const rows, columns, each, h = 150, 300, 70, 101
	var x Rows
	for range rows {
		x.Lo = append(x.Lo, len(x.Index))
		for c := r.IntN(5); c < columns && len(x.Index)-x.Lo[len(x.Lo)-1] < each; c += 1 + r.IntN(6) {
			x.Index, x.Value = append(x.Index, int32(c)), append(x.Value, r.NormFloat64())
		}
		x.Hi = append(x.Hi, len(x.Index))
	}
	if x.entries()*h < leastShared {
		t.Fatal("the product is too small to be shared")
	}
	for _, level = range cpu.Levels() {
		for _, ones := range []bool{false, true} {
			for _, acc := range []bool{false, true} {
				y := x
				if ones {
					y.Value = nil
				}
				dense, d := randoms(r, columns*h), randoms(r, rows*h)
				want, got := slices.Clone(d), slices.Clone(d)
				SparseMulMat(want, y, dense, h, acc)
				TeamSparseMulMat(w, got, y, dense, h, acc)
				if !slices.Equal(want, got) {
					t.Errorf("%v: other bits in a team", level)
				}
				want, got = slices.Clone(dense), slices.Clone(dense)
				SparseMulMatT(want, y, d, h, acc)
				TeamSparseMulMatT(w, got, y, d, h, acc)
				if !slices.Equal(want, got) {
					t.Errorf("%v: other bits of the transpose in a team", level)
				}
			}
		}
	}
}

func randoms(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// What a team does to each number of long arrays has the bits of one goroutine, at every level,
// and leaves what is behind them.
func TestTeamEach(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	w := team.New(3, nil)
	defer w.Close()
	r := rand.New(rand.NewPCG(5, 6))
	const rows, width = 331, 101
	n := rows * width
	for _, level = range cpu.Levels() {
		x, y, bias := randoms(r, n), randoms(r, n), randoms(r, width)
		calls := map[string]func(t *team.Team, dst []float64){
			"combine":  func(t *team.Team, dst []float64) { TeamCombine(t, dst, x, 1.7, y, -0.3) },
			"positive": func(t *team.Team, dst []float64) { TeamPositive(t, dst, x, y) },
			"relu":     func(t *team.Team, dst []float64) { TeamAddRelu(t, dst, x, bias, rows) },
			"clear":    TeamClear,
		}
		for name, f := range calls {
			room := randoms(r, n+1)
			want := slices.Clone(room)
			f(nil, want[:n])
			f(w, room[:n])
			if !slices.Equal(room, want) {
				t.Errorf("%v, %s: other bits in a team", level, name)
			}
		}
		short := func(x []float64) []float32 {
			out := make([]float32, len(x))
			Narrow(out, x)
			return out
		}
		x32, y32, bias32 := short(x), short(y), short(bias)
		singles := map[string]func(t *team.Team, dst []float32){
			"combine":  func(t *team.Team, dst []float32) { TeamCombine32(t, dst, x32, 1.7, y32, -0.3) },
			"positive": func(t *team.Team, dst []float32) { TeamPositive32(t, dst, x32, y32) },
			"relu":     func(t *team.Team, dst []float32) { TeamAddRelu32(t, dst, x32, bias32, rows) },
			"clear":    TeamClear32,
		}
		for name, f := range singles {
			room := short(randoms(r, n+1))
			want := slices.Clone(room)
			f(nil, want[:n])
			f(w, room[:n])
			if !slices.Equal(room, want) {
				t.Errorf("%v, %s in single precision: other bits in a team", level, name)
			}
		}
	}
}
