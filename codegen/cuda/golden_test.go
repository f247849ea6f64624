package cuda

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/device/wire"
	comp "github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
)

var update = flag.Bool("update", false, "write the expected texts")

// TestGolden: the text and the launches of each model are those that are expected.
func TestGolden(t *testing.T) {
	for _, k := range models {
		b := newBench(t, k.text, k.dims, k.batch, thermostats, flow.Coordinate)
		text, whole := strings.CutPrefix(b.result.Job.Text, prelude)
		if !whole {
			t.Fatal("the text does not begin with the prelude")
		}
		text += launches(b.result.Job)
		path := filepath.Join("testdata", k.name+".cu")
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("the text of %s is not that in %s; -update writes it", k.name, path)
		}
	}
}

// launches prints the lists of a job, with what each launch comes after.
func launches(job *wire.Job) string {
	var out strings.Builder
	for _, l := range job.Lists {
		out.WriteString("\n// " + l.Name + ":")
		for i, order := range wire.Order(l.Launches) {
			k := l.Launches[i]
			out.WriteString("\n//   " + k.Kernel)
			for j, before := range order {
				out.WriteString([]string{" after ", ", "}[min(j, 1)] + l.Launches[before].Kernel)
			}
			for _, a := range k.Args {
				if a.Writes {
					out.WriteString("; " + job.Buffers[a.Buffer].Name)
				}
			}
		}
	}
	out.WriteByte('\n')
	return out.String()
}

// TestRefusals: what has no kernel is refused by its name.
func TestRefusals(t *testing.T) {
	plain := []flow.Kind{flow.Gradient, flow.Langevin}
	for _, k := range []struct {
		text, want string
		dims       map[string]int
		flows      []flow.Kind
		grain      flow.Grain
	}{
		{"dim N, P\ndata x[N] : sparse real[P]\ndata y[N] : real\nparam w[P] : real ~ normal(0, 1)\n" +
			"for n in N { y[n] ~ normal(x[n] @ w, 1) }\n", "the sparse x", nil, plain, flow.Constant},
		{"use nn\ndim N, T\ndata x[N, T] : real[1]\ndata y[N] : real\nlayer cell = GRU(1, 2), " +
			"out = Dense(2, 1)\nfor n in N {\n" +
			"  let h = scan t in T from h = zeros(2) { cell(h, x[n, t]) }\n" +
			"  y[n] ~ normal(out(h[T])[0], 1)\n}\n", "a recurrence along t", nil, plain, flow.Constant},
		{"dim N\ndata y[N] : real[3]\nparam L : cov_chol[3] ~ inv_wishart_cholesky(5, diag(ones(3)))\n" +
			"for n in N { y[n] ~ multi_normal_cholesky(zeros(3), L) }\n", "the step", nil, plain,
			flow.Constant},
		{"param m : real ~ normal(0, 1)\n", "a model without rows", nil, plain, flow.Constant},
		{logistic, "a thermostat that is not one of each coordinate (all)", nil, thermostats, flow.All},
		{logistic, "the flow preconditioned langevin", nil,
			[]flow.Kind{flow.Gradient, flow.PreconditionedLangevin}, flow.Constant},
	} {
		c, diags := comp.Compile(source.New("model.sg", k.text), comp.Options{})
		if c == nil {
			t.Errorf("%s\n%s", diags[0].Message, k.text)
			continue
		}
		p, err := c.Whole()
		if err != nil {
			t.Errorf("%v\n%s", err, k.text)
			continue
		}
		rows := 5
		if c.Spec.RowDim == "" {
			rows = 0
		}
		_, err = Generate(Input{Program: p, Spec: c.Spec, Rows: rows, Ring: 4, Flows: k.flows,
			Dims: map[string]int{"N": 20, "P": 4, "T": 6}, Grain: k.grain})
		if err == nil || !strings.HasPrefix(err.Error(), k.want) ||
			!strings.HasSuffix(err.Error(), " has no kernel for a graphics processor") {
			t.Errorf("%v, and %q is expected\n%s", err, k.want, k.text)
		}
	}
}

// TestOps: every op that has a text gives what package ir says, in both precisions.
func TestOps(t *testing.T) {
	var names []string
	for name := range ops {
		names = append(names, name)
	}
	slices.Sort(names)
	points := []float64{-2.5, -1, -0.75, -1e-3, 0, 1e-3, 0.25, 0.75, 1, 3.5, 40}
	for _, name := range names {
		op, known := ir.Lookup(name)
		if !known || op.Class != ir.Map {
			t.Errorf("package ir has no elementwise op %s", name)
			continue
		}
	}
	checkOps(t, names, points)
}
