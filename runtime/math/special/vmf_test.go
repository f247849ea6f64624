package special

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
)

// vmfErrors are the worst errors over a table: of log c_d over its largest
// term, of A_d and of its derivative relative.
type vmfErrors struct {
	n                int
	log, ratio, curv float64
}

// add compares with the truth; tails are what the heads leave out.
func (e *vmfErrors) add(t *testing.T, d, kappa float64, head, tail [3]float64) {
	t.Helper()
	e.n++
	miss := func(got float64, i int, scale float64) float64 {
		if diff := math.Abs((got - head[i]) - tail[i]); diff != 0 {
			return diff / scale
		}
		return 0
	}
	term := max(kappa, 0.5*d*math.Abs(math.Log(max(d, kappa))), math.Abs(head[0]))
	l := miss(VMFLogConstant(d, kappa), 0, term)
	r := miss(VMFRatio(d, kappa), 1, math.Abs(head[1]))
	c := miss(VMFRatioDeriv(d, kappa), 2, math.Abs(head[2]))
	if !(l < 2e-15) || !(r < 2e-15) || !(c < 1e-13) {
		t.Errorf("d = %v, κ = %v: errors %.2g of log c, %.2g of A, %.2g of A'", d, kappa, l, r, c)
	}
	e.log, e.ratio, e.curv = max(e.log, l), max(e.ratio, r), max(e.curv, c)
}

func (e *vmfErrors) report(t *testing.T, least int) {
	t.Helper()
	t.Logf("%d values: errors at most %.2g of log c, %.2g of A, %.2g of A'", e.n, e.log, e.ratio,
		e.curv)
	if e.n < least {
		t.Errorf("%d values are too few", e.n)
	}
}

// TestVMFReference compares with the power series summed with 60 digits: d, κ,
// then head and tail of log c, A and A'.
func TestVMFReference(t *testing.T) {
	file, err := os.Open("testdata/vmf.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var e vmfErrors
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var x [8]float64
		for i, s := range strings.Fields(lines.Text()) {
			if x[i], err = strconv.ParseFloat(s, 64); err != nil {
				t.Fatal(err)
			}
		}
		e.add(t, x[0], x[1], [3]float64{x[2], x[4], x[6]}, [3]float64{x[3], x[5], x[7]})
	}
	e.report(t, 270)
}

// TestVMFTruth compares with the tables of the reference material.
func TestVMFTruth(t *testing.T) {
	text, err := os.ReadFile(reference.Path(t, "truth", "vmf.json"))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		D, Kappa   float64
		LogC       string `json:"log_c"`
		A          string
		VarT       string `json:"var_t"`
		LogI       string `json:"log_I"`
		LogArea    string `json:"log_c0"`
		EtangentSq string `json:"E_tangent2_per_axis"`
	}
	var tables map[string]json.RawMessage
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	split := func(s string) (head, tail float64) {
		f, _, err := big.ParseFloat(s, 10, 200, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		head, _ = f.Float64()
		tail, _ = f.Sub(f, big.NewFloat(head)).Float64()
		return head, tail
	}
	var e vmfErrors
	for _, table := range tables {
		var rows []row
		if json.Unmarshal(table, &rows) != nil {
			continue // a description
		}
		for _, r := range rows {
			if r.LogC == "" {
				continue
			}
			var head, tail [3]float64
			head[0], tail[0] = split(r.LogC)
			head[1], tail[1] = split(r.A)
			head[2], tail[2] = split(r.VarT)
			e.add(t, r.D, r.Kappa, head, tail)
			want, _ := split(r.LogI)
			nu := 0.5*r.D - 1
			if got := LogBesselI(nu, r.Kappa); math.Abs(got-want) >
				1e-14*max(r.Kappa, nu*math.Abs(math.Log(max(nu, 1)/r.Kappa)), math.Abs(want)) {
				t.Errorf("log I_%v(%v) = %v, want %v", nu, r.Kappa, got, want)
			}
		}
	}
	e.report(t, 280)
}

// TestVMFConstantsOfPaper compares with constants of the text experiments.
func TestVMFConstantsOfPaper(t *testing.T) {
	text, err := os.ReadFile(reference.Path(t, "truth", "experiments", "vmf_constants.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(string(text), "\n") {
		var d, kappa, logC, a float64
		if _, err := fmt.Sscanf(line, "V %g kappa %g logC %g A=I_{V/2}/I_{V/2-1} %g", &d, &kappa,
			&logC, &a); err != nil {
			continue
		}
		n++
		if got := VMFLogConstant(d, kappa); math.Abs(got-logC) > 1e-14*max(kappa, math.Abs(logC)) {
			t.Errorf("log c_%v(%v) = %v, want %v", d, kappa, got, logC)
		}
		if got := VMFRatio(d, kappa); math.Abs(got-a) > 1e-14*a {
			t.Errorf("A_%v(%v) = %v, want %v", d, kappa, got, a)
		}
	}
	if n != 10 {
		t.Errorf("%d constants were read", n)
	}
}

// TestVMFClosedForms: on S², c = κ/(4π sinh κ) and A = coth κ − 1/κ; ratios at
// half-integer and non-half-integer orders obey the recurrence
// I_{ν−1} − I_{ν+1} = (2ν/x) I_ν (DLMF 10.29.1).
func TestVMFClosedForms(t *testing.T) {
	for _, k := range []float64{0.5, 1, 3, 10, 35, 36.5, 100, 600} {
		if got, want := VMFLogConstant(3, k),
			math.Log(k/(2*math.Pi))-k-math.Log1p(-math.Exp(-2*k)); math.Abs(got-want) >
			1e-14*max(k, 1) {
			t.Errorf("log c_3(%v) = %v, want %v", k, got, want)
		}
		if got, want := VMFRatio(3, k), 1/math.Tanh(k)-1/k; math.Abs(got-want) > 2e-15 {
			t.Errorf("A_3(%v) = %v, want %v", k, got, want)
		}
	}
	for _, nu := range []float64{0.3, 1, 7.25, 34.9, 36, 300, 4e4} {
		for _, x := range []float64{1e-3, 0.7, 9, 35.9, 36.1, 400, 1e5, 9e6} {
			a, b := BesselIRatio(nu, x), BesselIRatio(nu+1, x)
			if got := a * (2*(nu+1)/x + b); math.Abs(got-1) > 2e-15 {
				t.Errorf("ν = %v, x = %v: the recurrence gives %v for 1", nu, x, got)
			}
			if l := LogBesselI(nu+1, x) - LogBesselI(nu, x); math.Abs(l-math.Log(a)) >
				1e-14*max(x, nu*math.Abs(math.Log(x/nu)), 1) {
				t.Errorf("ν = %v, x = %v: log of the ratio is %v, difference of logs %v", nu, x,
					math.Log(a), l)
			}
		}
	}
}

// TestVMFMonotone: A grows with κ and falls with d also across the borders of
// the methods, and stays in [0, 1).
func TestVMFMonotone(t *testing.T) {
	for _, d := range []float64{2, 3, 10, 60, 73.9, 74, 74.1, 1000} {
		last := 0.0
		for k := 30.0; k < 40; k += 1.0 / 64 {
			a := VMFRatio(d, k)
			if !(a > last && a < 1) {
				t.Fatalf("A_%v(%v) = %v after %v", d, k, a, last)
			}
			if !(VMFRatio(d+0.01, k) < a) {
				t.Fatalf("A_%v(%v) does not fall with d", d, k)
			}
			last = a
		}
	}
}

func TestVMFEdges(t *testing.T) {
	for _, f := range []func(d, k float64) float64{VMFLogConstant, VMFRatio, VMFRatioDeriv} {
		for _, c := range [][2]float64{{1.9, 1}, {nan, 1}, {3, nan}, {3, -1}, {inf, 1}, {-inf, 1}} {
			if v := f(c[0], c[1]); v == v {
				t.Errorf("%v gives %v", c, v)
			}
		}
	}
	for _, d := range []float64{2, 3, 1e5} {
		if a := VMFRatio(d, 0); a != 0 {
			t.Errorf("A_%v(0) = %v", d, a)
		}
		if a := VMFRatio(d, inf); a != 1 {
			t.Errorf("A_%v(∞) = %v", d, a)
		}
		if v := VMFLogConstant(d, inf); v != -inf {
			t.Errorf("log c_%v(∞) = %v", d, v)
		}
		if v := VMFRatioDeriv(d, inf); v != 0 {
			t.Errorf("A'_%v(∞) = %v", d, v)
		}
		for _, k := range []float64{1e20, 1e160, 1e300} {
			if a, c := VMFRatio(d, k), VMFLogConstant(d, k); !(math.Abs(a-1) < 1e-14) ||
				!(math.Abs(c+k) < 1e-10*k) {
				t.Errorf("d = %v, κ = %v: A = %v, log c = %v", d, k, a, c)
			}
		}
	}
	if LogBesselI(0, 0) != 0 || LogBesselI(1, 0) != -inf || BesselIRatio(0, 0) != 0 {
		t.Error("at x = 0")
	}
	if v := LogBesselI(0.5, 2); math.Abs(v-math.Log(math.Sinh(2)/math.Sqrt(math.Pi))) > 1e-15 {
		t.Errorf("log I_½(2) = %v", v)
	}
}

// TestVMFBits pins the bits, which are the same on every machine.
func TestVMFBits(t *testing.T) {
	h := fnv.New64a()
	for _, d := range []float64{2, 3, 8, 64, 73, 75, 500, 7702, 1e5} {
		for i := range 60 {
			k := math.Ldexp(1+float64(i%7)/7, i/2-6)
			for _, v := range []float64{VMFLogConstant(d, k), VMFRatio(d, k), VMFRatioDeriv(d, k),
				LogBesselI(d, k)} {
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
				h.Write(b[:])
			}
		}
	}
	const want = 0x85b8c5b86b446962
	if got := h.Sum64(); got != want {
		t.Errorf("the bits of all results hash to %#x, want %#x", got, uint64(want))
	}
}

// TestDebyeCoefficients computes the table from DLMF 10.41.9 in rational
// numbers.
func TestDebyeCoefficients(t *testing.T) {
	type poly = []*big.Rat // by powers of p
	zero := func(n int) poly {
		a := make(poly, n)
		for i := range a {
			a[i] = new(big.Rat)
		}
		return a
	}
	mul := func(a, b poly) poly {
		c := zero(len(a) + len(b) - 1)
		for i, x := range a {
			for j, y := range b {
				c[i+j].Add(c[i+j], new(big.Rat).Mul(x, y))
			}
		}
		return c
	}
	addTo := func(a, b poly) poly {
		if len(a) < len(b) {
			a = append(a, zero(len(b)-len(a))...)
		}
		for i, y := range b {
			a[i].Add(a[i], y)
		}
		return a
	}
	u := []poly{{big.NewRat(1, 1)}}
	for k := range debyeC {
		diff := zero(max(len(u[k])-1, 1))
		for i := 1; i < len(u[k]); i++ {
			diff[i-1].Mul(u[k][i], big.NewRat(int64(i), 1))
		}
		next := mul(poly{new(big.Rat), new(big.Rat), big.NewRat(1, 2), new(big.Rat),
			big.NewRat(-1, 2)}, diff)
		integrand := mul(poly{big.NewRat(1, 8), new(big.Rat), big.NewRat(-5, 8)}, u[k])
		integral := zero(len(integrand) + 1)
		for i, x := range integrand {
			integral[i+1].Mul(x, big.NewRat(1, int64(i+1)))
		}
		u = append(u, addTo(next, integral))
	}
	logs := []poly{nil} // k u_k = Σ_{j≤k} j l_j u_{k−j}
	for k := 1; k <= len(debyeC); k++ {
		l := addTo(zero(1), u[k])
		for j := 1; j < k; j++ {
			m := mul(logs[j], u[k-j])
			for _, x := range m {
				x.Mul(x, big.NewRat(int64(-j), int64(k)))
			}
			l = addTo(l, m)
		}
		logs = append(logs, l)
		if len(debyeC[k-1]) != k+1 {
			t.Fatalf("row %d has %d coefficients", k, len(debyeC[k-1]))
		}
		for i, x := range l {
			want, _ := x.Float64()
			j := (i - k) / 2
			if i < k || (i-k)%2 != 0 || j > k {
				if want != 0 {
					t.Errorf("P_%d has a term p^%d", k, i-k)
				}
				continue
			}
			if got := debyeC[k-1][j]; got != want {
				t.Errorf("P_%d,%d is %v, want %v", k, j, got, want)
			}
		}
	}
}

// TestSinCos: the bits of Sin and Cos.
func TestSinCos(t *testing.T) {
	for _, scale := range []float64{1e-30, 1e-3, 1, 30, 1e7, 1e200} {
		for _, x := range spread(300, -scale, scale) {
			if s, c := SinCos(x); !same(s, Sin(x)) || !same(c, Cos(x)) {
				t.Fatalf("SinCos(%v) = %v, %v", x, s, c)
			}
		}
	}
}

func BenchmarkVMF(b *testing.B) {
	for _, c := range [][2]float64{{3, 5}, {3, 100}, {64, 100}, {1000, 300}, {1e5, 1e6}} {
		b.Run(fmt.Sprint(c), func(b *testing.B) {
			b.Run("log", func(b *testing.B) {
				for b.Loop() {
					VMFLogConstant(c[0], c[1])
				}
			})
			b.Run("ratio", func(b *testing.B) {
				for b.Loop() {
					VMFRatio(c[0], c[1])
				}
			})
		})
	}
}
