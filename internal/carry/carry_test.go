package carry

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const draws = 40_000

// sample draws from a known law: a number a, a positive b whose logarithm depends on a, and a
// vector v of three that depends on a and on log b.
func sample(seed uint64) (a, b, v *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 1))
	a, b, v = mat.NewDense(draws, 1, nil), mat.NewDense(draws, 1, nil), mat.NewDense(draws, 3, nil)
	for i := range draws {
		x := 2 + 0.5*r.NormFloat64()
		y := -1 + 0.8*(x-2) + 0.3*r.NormFloat64()
		shared := 0.4 * r.NormFloat64()
		a.Set(i, 0, x)
		b.Set(i, 0, math.Exp(y))
		for k := range 3 {
			v.Set(i, k, float64(k)+float64(k)*(x-2)-0.5*(y+1)+shared+0.2*r.NormFloat64())
		}
	}
	return a, b, v
}

var numbersOf = regexp.MustCompile(`-?\d+(\.\d+)?(e-?\d+)?`)

// near holds the numbers of a text against those of the law.
func near(t *testing.T, text string, want ...float64) {
	t.Helper()
	got := numbersOf.FindAllString(text, -1)
	if len(got) != len(want) {
		t.Fatalf("%q has %d numbers, not %d", text, len(got), len(want))
	}
	for i, g := range got {
		x, err := strconv.ParseFloat(g, 64)
		if err != nil || math.Abs(math.Abs(x)-math.Abs(want[i])) > 0.02 {
			t.Errorf("%q: number %d is not %v", text, i, want[i])
		}
	}
}

// TestFit: the laws that are written are those that the draws are from, each given what is
// declared before it.
func TestFit(t *testing.T) {
	a, b, v := sample(1)
	p, err := Fit([]Param{
		{Name: "a", Draws: a}, {Name: "b", Positive: true, Draws: b},
		{Name: "v", Sizes: []string{"K"}, Draws: v},
	}, "was_")
	if err != nil {
		t.Fatal(err)
	}
	near(t, p.Of["a"].Text, 2, 0.5)
	if text := p.Of["b"].Text; !strings.HasPrefix(text, "~ lognormal(") ||
		!strings.Contains(text, "* (a - ") {
		t.Errorf("b %s", text)
	}
	near(t, p.Of["b"].Text, -1, 0.8, 2, 0.3)
	text := p.Of["v"].Text
	if !strings.HasPrefix(text, "~ multi_normal(was_v_mean + was_v_by_a * (a - ") ||
		!strings.Contains(text, " + was_v_by_b * (log(b) + ") ||
		!strings.HasSuffix(text, ", was_v_cov)") {
		t.Errorf("v %s", text)
	}
	for _, line := range []string{"data was_v_mean[K] : real\n", "data was_v_by_a[K] : real\n",
		"data was_v_cov[K, K] : real\n"} {
		if !strings.Contains(p.Of["v"].Data, line) {
			t.Errorf("v lacks %q: %s", line, p.Of["v"].Data)
		}
	}
	byA, byB := p.Data["was_v_by_a"].([]float64), p.Data["was_v_by_b"].([]float64)
	cov := p.Data["was_v_cov"].([][]float64)
	for k := range 3 {
		if math.Abs(byA[k]-float64(k)) > 0.05 || math.Abs(byB[k]+0.5) > 0.05 {
			t.Errorf("v[%d] by a %v, by b %v", k, byA[k], byB[k])
		}
		for l := range 3 {
			want := 0.16
			if k == l {
				want = 0.2
			}
			if math.Abs(cov[k][l]-want) > 0.01 {
				t.Errorf("the covariance of v[%d] and v[%d] is %v, not %v", k, l, cov[k][l], want)
			}
		}
	}
	if p.Lost != 0 {
		t.Errorf("a correlation of %v is lost in a joint law", p.Lost)
	}
}

// TestVectorBefore: a number that is declared behind a vector is given all of its entries.
func TestVectorBefore(t *testing.T) {
	a, _, v := sample(2)
	p, err := Fit([]Param{{Name: "v", Sizes: []string{"3"}, Draws: v}, {Name: "a", Draws: a}}, "p_")
	if err != nil {
		t.Fatal(err)
	}
	if text := p.Of["a"].Text; !strings.Contains(text, "sum(p_a_by_v * (v - p_v_mean))") {
		t.Error(text)
	}
	// The regression of a on v: its residual has less than the variance of a.
	var sd float64
	last := numbersOf.FindAllString(p.Of["a"].Text, -1)
	if sd, err = strconv.ParseFloat(last[len(last)-1], 64); err != nil || sd <= 0 || sd >= 0.5 {
		t.Errorf("a given v has the standard deviation %v", sd)
	}
}

// TestAlone: entries of positive arrays and of matrices are on their own, the correlation that
// this loses is found, and their data have the shape of the param.
func TestAlone(t *testing.T) {
	a, _, v := sample(3)
	var scales mat.Dense
	scales.Apply(func(_, _ int, x float64) float64 { return math.Exp(x) }, v)
	p, err := Fit([]Param{
		{Name: "a", Draws: a}, {Name: "s", Positive: true, Sizes: []string{"K"}, Draws: &scales},
		{Name: "m", Sizes: []string{"3", "1"}, Draws: v},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if p.Of["s"].Text != "~ lognormal(s_mean, s_sd)" || p.Of["m"].Text != "~ normal(m_mean, m_sd)" {
		t.Error(p.Of["s"].Text, p.Of["m"].Text)
	}
	// s is the exponential of m: that is all lost.
	if math.Abs(p.Lost-1) > 1e-9 || p.From == "" || p.To == "" {
		t.Errorf("lost: %v of %s and %s", p.Lost, p.From, p.To)
	}
	p.Shaped("m", []int{3, 1})
	p.Shaped("s", []int{3})
	text, err := json.Marshal(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		M [][]float64 `json:"m_mean"`
		S []float64   `json:"s_mean"`
	}
	if err := json.Unmarshal(text, &read); err != nil || len(read.M) != 3 || len(read.M[0]) != 1 ||
		len(read.S) != 3 {
		t.Fatalf("%v: %s", err, text)
	}
	for k := range 3 {
		if math.Abs(read.M[k][0]-read.S[k]) > 1e-9 || math.Abs(read.S[k]-float64(k)) > 0.02 {
			t.Errorf("the mean of entry %d is %v and %v", k, read.M[k][0], read.S[k])
		}
	}
}

// TestRefused: draws to which no normal distribution can be fitted are refused in words.
func TestRefused(t *testing.T) {
	column := func(f func(i int) float64, n int) *mat.Dense {
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			x.Set(i, 0, f(i))
		}
		return x
	}
	line := func(i int) float64 { return float64(i) }
	for _, c := range []struct {
		what   string
		params []Param
		want   string
	}{
		{"equal draws", []Param{{Name: "a", Draws: column(func(int) float64 { return 3 }, 100)}},
			"a has draws that are all equal or not finite"},
		{"a positive number that was 0", []Param{{Name: "b", Positive: true,
			Draws: column(line, 100)}}, "b has draws that are all equal or not finite"},
		{"too few draws", []Param{{Name: "a", Draws: column(line, 2)}},
			"2 draws are too few for the covariances of 1 numbers"},
		{"a vector whose entries are one number", []Param{{Name: "v", Sizes: []string{"K"},
			Draws: twice(column(line, 100))}}, "the draws of v have no covariance of full rank"},
		{"a function of another param", []Param{{Name: "a", Draws: column(line, 100)},
			{Name: "b", Draws: column(line, 100)}}, "b is a function of what stands before it"},
	} {
		if _, err := Fit(c.params, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// twice has a column two times.
func twice(x *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Augment(x, x)
	return &out
}
