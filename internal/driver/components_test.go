package driver

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// mixtures of components far apart: the value says which it came from.
var mixtures = []struct {
	name, text string
	params     map[string]*data.Value
	// center of member i under component k, in the coordinate looked at, of the
	// arrays drawn.
	center func(of func(name string) []float64, i, k int) float64
	shares []float64
	family func(n int) int // members
	width  int             // numbers of a member
}{
	{name: "numbers over an index",
		text: "dim N\ndata y[N] : real\ndata w : simplex[3]\n" +
			"for n in N { y[n] ~ mixture(w, normal(100 * k, 1) for k in 3) }",
		center: func(_ func(string) []float64, i, k int) float64 { return 100 * float64(k) },
	},
	{name: "drawn again where it left its type",
		text: "dim N\ndata w : simplex[3]\nparam y[N] : interval(-0.5, 200) ~ mixture(w, " +
			"normal(100 * k, 1) for k in 3)",
		center: func(_ func(string) []float64, i, k int) float64 { return 100 * float64(k) },
		// Φ(0.5), 1 and ½ of the weights are kept
		shares: []float64{0.2 * 0.691462, 0.3, 0.25},
	},
	{name: "arguments of rows and components",
		text: "dim N, P = 2\ndata X[N, P], b[N], W[3, P], y[N] : real\ndata w : simplex[3]\n" +
			"for n in N { y[n] ~ mixture(w, normal(b[n] + 100 * k + (X[n] @ W[k]), 1) for k in 3) }",
		center: func(of func(string) []float64, i, k int) float64 {
			X, W := of("X"), of("W")
			return of("b")[i] + 100*float64(k) + X[2*i]*W[2*k] + X[2*i+1]*W[2*k+1]
		},
	},
	{name: "a sum over the components in the arguments",
		text: "dim N\ndata a[3], y[N] : real\ndata w : simplex[3]\nlet c = softmax(a)\n" +
			"for n in N { y[n] ~ mixture(w, normal(100 * k + c[k], 1) for k in 3) }",
		center: func(of func(string) []float64, i, k int) float64 { return 100*float64(k) + 0.5 },
	},
	{name: "a list",
		text: "dim N\ndata y[N] : real\ndata w : simplex[3]\n" +
			"for n in N { y[n] ~ mixture(w, normal(0, 1), student_t(30, 100, 1), logistic(200, 0.5)) }",
		center: func(_ func(string) []float64, i, k int) float64 { return 100 * float64(k) },
	},
	{name: "mixtures in a mixture",
		text: "dim N\ndata y[N] : real\ndata w : simplex[3]\n" +
			"for n in N { y[n] ~ mixture(w, mixture(0.5, normal(100 * k, 1), normal(100 * k + 5, " +
			"1)) for k in 3) }",
		center: func(_ func(string) []float64, i, k int) float64 { return 100*float64(k) + 2.5 },
	},
	{name: "vectors",
		text: "dim N, D = 40\ndata y[N] : sphere[D]\ndata w : simplex[3]\n" +
			"let mu = [[if d == k then 1 else 0 for d in D] for k in 3]\n" +
			"for n in N { y[n] ~ mixture(w, vmf(normalize(mu[k]), 400 + k) for k in 3) }",
		width: 40,
	},
	{name: "a family of a row",
		text: "dim N\ndata y[N, 4] : real\ndata w : simplex[3]\n" +
			"for n in N { y[n] ~ mixture(w, normal(100 * k, 1) for k in 3) }",
		center: func(_ func(string) []float64, i, k int) float64 { return 100 * float64(k) },
		family: func(n int) int { return 4 * n },
	},
}

// TestComponents: every mixture that is simulated says which component each
// member came from, in the shares of the weights.
func TestComponents(t *testing.T) {
	const n = 6000
	for _, c := range mixtures {
		t.Run(c.name, func(t *testing.T) {
			src := source.New("mixture.sg", c.text+"\n")
			weights := data.Dense([]float64{0.2, 0.3, 0.5}, 3)
			weights.Canonical = true
			given := map[string]*data.Value{"w": weights}
			out, diags, errs, err := Simulate(src,
				SimulateOptions{Sets: []string{"N=6000"}, Seed: 3, Params: given})
			if err != nil || errs != nil || out == nil {
				t.Fatal(diags, errs, err)
			}
			of := func(name string) []float64 {
				for _, d := range append(out.Data, out.Params...) {
					if d.Name == name {
						return d.Value.F64
					}
				}
				t.Fatal("no " + name)
				return nil
			}
			members := n
			if c.family != nil {
				members = c.family(n)
			}
			if len(out.Components) != 1 || out.Components[0].Name != "y.component" ||
				len(out.Components[0].Value.F64) != members {
				t.Fatalf("labels are %v", out.Components)
			}
			labels, y := out.Components[0].Value.F64, of("y")
			count := make([]float64, 3)
			for i, k := range labels {
				count[int(k)]++
				if c.width > 0 { // the largest coordinate is the component's
					x := y[i*c.width : (i+1)*c.width]
					for j, v := range x {
						if j != int(k) && v > x[int(k)] {
							t.Fatalf("member %d: of component %v, and coordinate %d is %v, above %v", i, k, j, v,
								x[int(k)])
						}
					}
				} else if at := c.center(of, i, int(k)); math.Abs(y[i]-at) > 20 {
					t.Fatalf("member %d is %v: not of component %v, about %v", i, y[i], k, at)
				}
			}
			shares := c.shares
			if shares == nil {
				shares = weights.F64
			}
			total := shares[0] + shares[1] + shares[2]
			for k, s := range shares {
				p := s / total
				if se := math.Sqrt(p * (1 -
					p) / float64(members)); math.Abs(count[k]/float64(members)-p) > 4*se {
					t.Errorf("component %d has %v of %d, its share is %v", k, count[k], members, p)
				}
			}
		})
	}
}

// TestTruncatedComponent: a truncated component is refused, rather than drawn as if it were not.
func TestTruncatedComponent(t *testing.T) {
	src := source.New("mixture.sg",
		"dim N\ndata y[N] : real\nfor n in N { y[n] ~ mixture(0.3, normal(0, 1) truncated(0, "+
			"inf), normal(5, 1)) }\n")
	out, diags, _, _ := Simulate(src, SimulateOptions{Sets: []string{"N=5"}})
	if out != nil || len(diags) != 1 || diags[0].Code != "E0712" {
		t.Errorf("simulated %v with %v", out, diags)
	}
}
