package cuda

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	comp "github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

const network = `use nn
dim N
const H = 400
data x[N] : real[784]
data y[N] : index[10]
layer l1 = Dense(784, H), l2 = Dense(H, H), l3 = Dense(H, 10)
for n in N { y[n] ~ categorical_logit(l3(relu(l2(relu(l1(x[n])))))) }
`

const lenet = `use nn
dim N
data x[N] : real[1, 28, 28]
data y[N] : index[10]
layer c1 = Conv2d(1, 32, 5), c2 = Conv2d(32, 64, 5)
layer l1 = Dense(1024, 200), l2 = Dense(200, 200), l3 = Dense(200, 10)
fn features(x : real[1, 28, 28]) -> real[1024] {
  flatten(max_pool2d(relu(c2(max_pool2d(relu(c1(x)), 2))), 2))
}
for n in N { y[n] ~ categorical_logit(l3(relu(l2(relu(l1(features(x[n]))))))) }
`

const logistic = `dim N, P
data x[N] : real[P]
data y[N] : bool
param w[P] : real ~ normal(0, sqrt(10))
param b : real ~ normal(0, sqrt(10))
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + b) }
`

const linear = `dim N, P
data x[N] : real[P]
data y[N] : real
param w[P] : real ~ normal(0, 1)
param b : real ~ normal(0, 5)
param sigma : positive ~ normal(0, 2)
for n in N { y[n] ~ normal(x[n] @ w + b, sigma) }
`

const hierarchical = `dim N, P, G
data x[N] : real[P]
data g[N] : index[G]
data y[N] : real
param mu : real ~ normal(0, 5)
param tau : positive ~ normal(0, 1)
param a[G] : real ~ normal(mu, tau)
param w[P] : real ~ normal(0, 1)
param sigma : positive ~ student_t(4, 0, 1)
for n in N { y[n] ~ normal(a[g[n]] + x[n] @ w, sigma) }
`

// models are those whose kernels are held against the VM.
var models = []struct {
	name, text string
	dims       map[string]int
	batch      int
	near       float64 // the largest error of the gradient, relative to its norm
}{
	{"logistic", logistic, map[string]int{"N": 3000, "P": 60}, 1000, 2e-6},
	{"linear", linear, map[string]int{"N": 3000, "P": 37}, 700, 2e-6},
	{"hierarchical", hierarchical, map[string]int{"N": 900, "P": 12, "G": 40}, 300, 2e-6},
	{"network", network, map[string]int{"N": 300}, 100, 2e-6},
	{"lenet", lenet, map[string]int{"N": 40}, 12, 4e-6},
}

// A bench is a model with random data, and its kernels.
type bench struct {
	model  *model.Model
	result *Result
	dim    int
	batch  int
}

var thermostats = []flow.Kind{flow.Drift, flow.Thermostat, flow.Friction, flow.Gradient, flow.Kick,
	flow.FrictionAgain, flow.Drift, flow.Thermostat}

func newBench(t *testing.T, text string, dims map[string]int, batch int, flows []flow.Kind,
	grain flow.Grain) *bench {
	t.Helper()
	c, diags := comp.Compile(source.New("model.sg", text), comp.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	if err := c.ToSingle(); err != nil {
		t.Fatal(err)
	}
	m, err := c.VM(randomData(&c.Spec.Schema, dims), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Whole()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Generate(Input{Program: p, Spec: c.Spec, Dims: m.Dims, Rows: batch, Ring: 4,
		Flows: flows, Grain: grain})
	if err != nil {
		t.Fatal(err)
	}
	return &bench{m, r, m.Dim(), batch}
}

// randomData fills the inputs of a schema.
func randomData(s *data.Schema, dims map[string]int) *data.Bound {
	r := rand.New(rand.NewPCG(3, 1))
	b := &data.Bound{Dims: dims, Values: map[string]*array.Value{}}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		var shape []int
		n := 1
		for _, p := range in.Shape {
			k, _ := p.Eval(dims)
			shape = append(shape, k)
			n *= k
		}
		x := make([]float64, n)
		for j := range x {
			switch in.Kind {
			case data.Index:
				k, _ := in.Below.Eval(dims)
				x[j] = float64(r.IntN(k))
			case data.Bool:
				x[j] = float64(r.IntN(2))
			default:
				x[j] = r.NormFloat64() / math.Sqrt(float64(n/dims["N"]))
			}
		}
		b.Values[in.Name] = array.Dense(x, shape...)
	}
	return b
}

// load writes the data and the jumps to a machine.
func (b *bench) load(m *machine) {
	copy(m.memory[Jumps], b.result.Jumps)
	e := b.model.Evaluator(b.batch)
	for _, c := range b.result.Columns {
		switch {
		case c.Rows:
			for r := range b.model.Rows() {
				x := e.RowNumbers(c.Datum, []int{r})
				for i, v := range x {
					binary.LittleEndian.PutUint32(m.memory[c.Buffer][4*(r*c.Width+i):],
						math.Float32bits(v))
				}
			}
		case c.Double:
			_, x := e.Numbers(c.Datum)
			binary.LittleEndian.PutUint64(m.memory[c.Buffer], math.Float64bits(x[0]))
		default:
			x, _ := e.Numbers(c.Datum)
			m.set(c.Buffer, x)
		}
	}
}

// TestGradients: the kernels, run by a processor, have the gradient that the VM has but for
// rounding.
func TestGradients(t *testing.T) {
	for _, k := range models {
		t.Run(k.name, func(t *testing.T) {
			if testing.Short() && k.name == "lenet" {
				t.Skip("takes seconds")
			}
			b := newBench(t, k.text, k.dims, k.batch, thermostats, flow.Coordinate)
			m := newMachine(t, b.result.Job)
			b.load(m)
			r := rand.New(rand.NewPCG(5, 6))
			x, x64 := make([]float32, b.dim), make([]float64, b.dim)
			for i := range x {
				x[i] = float32(r.NormFloat64() * 0.1)
				x64[i] = float64(x[i])
			}
			// one row less than the most, as batches of a pass may have
			rows := make([]int, k.batch-1)
			for i := range rows {
				rows[i] = r.IntN(k.dims["N"])
				binary.LittleEndian.PutUint32(m.memory[RowOrder][4*i:], uint32(rows[i]))
			}
			scale := float64(k.dims["N"]) / float64(len(rows))
			(&Step{Rows: len(rows), Scale: scale, Jacobian: 1}).Put(m.memory[Steps], 0)
			m.set(X, x)
			m.run(Gradient)
			got := m.get(Force, b.dim)
			want := make([]float64, b.dim)
			b.model.Evaluator(k.batch).Gradient(x64, rows, scale, 1, want)
			if off := distance(got, want); !(off <= k.near) {
				t.Errorf("the gradient is off by %.3g of its norm", off)
			} else {
				t.Logf("off by %.2g, %d kernels", off,
					len(b.result.Job.Lists[b.result.Job.Find(Whole)].Launches))
			}
		})
	}
}

// distance is ‖got − want‖ / ‖want‖.
func distance(got []float32, want []float64) float64 {
	off, all := 0.0, 0.0
	for i, w := range want {
		d := float64(got[i]) - w
		off += d * d
		all += w * w
	}
	return math.Sqrt(off / all)
}
