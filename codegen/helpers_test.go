package codegen_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// A modelCase is a compiled model with made-up data.
type modelCase struct {
	name  string
	c     *driver.Compiled
	bound *data.Bound
}

// generate generates the package, once for all tests.
func (m modelCase) generate(t testing.TB) codegen.Files {
	t.Helper()
	if generated[m.c] == nil {
		generated[m.c] = m.generateAgain(t)
	}
	return generated[m.c]
}

var generated = map[*driver.Compiled]codegen.Files{}

func (m modelCase) generateAgain(t testing.TB) codegen.Files {
	t.Helper()
	files, err := codegen.Generate(codegen.Input{Spec: m.c.Spec, Programs: m.c.Programs})
	if err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	return files
}

// coordinates is the length of the state.
func (m modelCase) coordinates() int {
	n := 0
	for i := range m.c.Spec.Params {
		n += m.c.Spec.Params[i].StateLen(m.bound.Dims)
	}
	return n
}

// own are the models of this package's testdata, compiled once for all tests that do not
// change them.
func own(t testing.TB) []modelCase {
	t.Helper()
	if len(ownCases) == 0 {
		ownCases = load(t, filepath.Join("testdata", "*.sg"))
	}
	if len(ownCases) < 5 {
		t.Fatalf("only %d models in testdata compile", len(ownCases))
	}
	return ownCases
}

var ownCases []modelCase

// load compiles models; those that the compiler cannot do yet are left out,
// except for those of testdata.
func load(t testing.TB, pattern string) []modelCase {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var out []modelCase
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, diags := driver.Compile(source.New(filepath.Base(path), string(text)), driver.Options{})
		if c == nil {
			if strings.HasPrefix(path, "testdata") {
				for _, d := range diags {
					t.Errorf("%s: %+v", path, *d)
				}
			}
			continue
		}
		if len(c.Spec.Params) == 0 {
			continue // a module of functions
		}
		m := modelCase{name: c.Spec.Name, c: c}
		if dir := filepath.Dir(path); dir != "testdata" {
			m.name = filepath.Base(filepath.Dir(dir)) + " " + m.name
		}
		if own := strings.TrimSuffix(path, ".sg") + ".json"; exists(own) {
			var errs []*data.Error
			m.bound, _, errs = data.Bind(&c.Spec.Schema, []string{own}, nil, data.Options{})
			for _, e := range errs {
				t.Fatal(e)
			}
		} else if slices.ContainsFunc(c.Spec.Schema.Dims, func(d data.Dim) bool {
			return d.Of != ""
		}) {
			continue // lengths are not invented here; examples have theirs in files
		} else {
			m.bound = invent(t, &c.Spec.Schema, c.Spec.RowDim)
		}
		out = append(out, m)
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// invent makes data that fit a schema: sizes all distinct, numbers from a
// fixed sequence.
func invent(t testing.TB, s *data.Schema, rowDim string) *data.Bound {
	t.Helper()
	dims := map[string]int{}
	for i, d := range s.Dims {
		dims[d.Name] = 3 + i
		if d.Name == rowDim {
			dims[d.Name] = 23
		}
	}
	state := uint64(99)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return (float64(state>>11) + 0.5) / (1 << 53)
	}
	values := map[string]*data.Value{}
	end := func(e data.End) float64 {
		if e.Name == "" {
			return e.Value
		}
		if v := values[e.Name]; v != nil {
			return v.F64[0]
		}
		return 0
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.Default {
			continue
		}
		n, shape := 1, []int{}
		for _, p := range in.Shape {
			k, ok := p.Eval(dims)
			if !ok {
				t.Fatalf("%s: size %s", in.Name, p)
			}
			n *= k
			shape = append(shape, k)
		}
		below, _ := in.Below.Eval(dims)
		v := make([]float64, n)
		for j := range v {
			u := uniform()
			switch in.Kind {
			case data.Positive:
				v[j] = math.Round(256*u+1) / 128
			case data.Unit:
				v[j] = u
			case data.Interval:
				lo, hi := end(in.Lo), end(in.Hi)
				switch {
				case math.IsInf(lo, 0) && math.IsInf(hi, 0):
					v[j] = 4*u - 2
				case math.IsInf(hi, 0):
					v[j] = lo + u
				case math.IsInf(lo, 0):
					v[j] = hi - u
				default:
					v[j] = lo + (hi-lo)*u
				}
			case data.Int, data.Count:
				v[j] = math.Floor(6 * u)
			case data.Bool:
				v[j] = math.Floor(2 * u)
			case data.Index:
				v[j] = float64(in.From) + math.Floor(u*float64(below))
			default:
				v[j] = math.Round(512*u-256) / 128
				if in.Sparse && j%3 != 0 {
					v[j] = 0
				}
			}
		}
		if len(shape) > 0 {
			conform(in.Kind, v, shape[len(shape)-1])
		}
		values[in.Name] = data.Dense(v, shape...)
	}
	bound, _, errs := data.Validate(s, values, dims, data.Options{})
	for _, e := range errs {
		t.Fatal(e)
	}
	return bound
}

// conform brings every group of n numbers onto its set.
func conform(k data.Kind, v []float64, n int) {
	for ; len(v) > 0 && n > 0; v = v[n:] {
		x, sum, squares := v[:n], 0.0, 0.0
		for i := range x {
			if k == data.Simplex || k == data.PositiveOrdered {
				x[i] = math.Abs(x[i]) + 0.1
			}
			sum, squares = sum+x[i], squares+x[i]*x[i]
		}
		switch k {
		case data.Simplex:
			for i := range x {
				x[i] /= sum
			}
		case data.Sphere:
			for i := range x {
				x[i] /= math.Sqrt(squares)
			}
		case data.Ordered, data.PositiveOrdered:
			slices.Sort(x)
			for i := range x {
				x[i] += float64(i) / 64
			}
		case data.SumToZero:
			for i := range x {
				x[i] -= sum / float64(n)
			}
		}
	}
}

// program builds all cases into one binary. main is the text of the main
// file, with IMPORTS, MODELS and PATH to be filled in.
func program(t testing.TB, cases []modelCase, extra map[string][]byte, main string) string {
	t.Helper()
	return builtWith(t, cases, extra, main, func(code []byte) []byte { return code })
}

// builtWith is program of generated code that is changed.
func builtWith(
	t testing.TB, cases []modelCase, extra map[string][]byte, main string,
	change func(code []byte) []byte,
) string {
	t.Helper()
	s := native.Source{Package: "cases", Files: map[string][]byte{}}
	for name, text := range extra {
		s.Files[name] = text
	}
	var imports, entries strings.Builder
	for i, c := range cases {
		for name, text := range c.generate(t) {
			s.Files[fmt.Sprintf("m%d/%s", i, name)] = change(text)
		}
		fmt.Fprintf(&imports, "\tm%d \"PATH/m%d\"\n", i, i)
		fmt.Fprintf(&entries, "\t%q: m%d.Compiled,\n", c.name, i)
	}
	main = strings.NewReplacer("IMPORTS", imports.String(), "MODELS",
		entries.String()).Replace(main)
	s.Main = func(path string) string { return strings.ReplaceAll(main, "PATH", path) }
	b := &native.Builder{Cache: t.TempDir(), Env: os.Environ()}
	path, err := b.Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func firstDifference(a, b string) (line int, x, y string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		x, y = "", ""
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			return i, x, y
		}
	}
	return -1, "", ""
}
