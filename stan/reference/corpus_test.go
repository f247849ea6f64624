package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/syntax"
	"github.com/sgppl/sgppl/stan/translate"
)

// TestCorpus: for every program of ../testdata the log density of its translation is, at random
// points, that of the interpreter up to one constant, and the gradient that of its differences. A
// program that says // refused: CODE at its head is refused with that code.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".stan"), func(t *testing.T) { compare(t, f, false) })
	}
}

// tolerance is that of differences of log densities, relative to the largest of them.
const tolerance = 1e-8

// head finds the rest of a comment at the head of a program, such as // data: {…}.
func head(text, what string) string {
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "// "+what+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// TestCorpusBound: the same for the translations for known data, with loops of the language and
// with none.
func TestCorpusBound(t *testing.T) {
	files, _ := filepath.Glob("../testdata/*.stan")
	for i, f := range files {
		if testing.Short() && i%8 != 0 {
			continue
		}
		for name, form := range map[string]translate.Form{"loops": translate.Loops,
			"turns": translate.Turns} {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".stan")+"/"+name, func(t *testing.T) {
				compareAs(t, f, false, func(src *source.File, path string) (*source.File, diag.List) {
					r, diags := stan.ImportBound(src, stan.ReadData([]string{path}, nil), form)
					if r == nil {
						return nil, diags
					}
					return source.New(src.Name, r.Text), diags
				})
			})
		}
	}
}

func compare(t *testing.T, file string, changed bool) { compareAs(t, file, changed, nil) }

// compareAs compares a program with its model, which translated makes for data of a file; nil
// makes it as the commands do.
func compareAs(t *testing.T, file string, changed bool,
	translated func(src *source.File, path string) (*source.File, diag.List)) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			if !changed { // a changed program may fail when it runs
				t.Fatal("the interpreter: " + r.text)
			}
		default:
			panic(r)
		}
	}()
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src := source.New(filepath.Base(file), string(program))
	prog, _ := syntax.Parse(src)
	model, diags := stan.Model(src)
	needs := head(string(program), "bound")
	if translated == nil && needs != "" && (model != nil || diags[0].Code != diag.Code(needs)) {
		t.Errorf("not refused with %s where the data are not known: %s", needs, shown(diags))
	}
	if code := head(string(program), "refused"); code != "" {
		if model != nil || diags[0].Code != diag.Code(code) {
			t.Errorf("not refused with %s: %s", code, shown(diags))
		}
		return
	}
	given := map[string]any{}
	if s := head(string(program), "data"); s != "" {
		if err := json.Unmarshal([]byte(s), &given); err != nil {
			t.Fatal(err)
		}
	}
	loose := tolerance
	if head(string(program), "ode") != "" {
		loose = 1e-5
	}
	r := rand.New(rand.NewPCG(1, 2))
	values := invent(prog, given, r)
	text, err := encode(values)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if translated != nil {
		model, diags = translated(src, path)
	} else if needs != "" {
		model, _, diags = stan.ModelFor(src, func() map[string]*translate.Given {
			return stan.ReadData([]string{path}, nil)
		}, func(m *source.File) bool {
			c, list := driver.Compile(m, driver.Options{})
			if c == nil {
				t.Logf("does not compile:\n%s", shown(list))
			}
			return c != nil
		})
	}
	if model == nil {
		t.Fatalf("refused:\n%s", shown(diags))
	}
	c, list := driver.Compile(model, driver.Options{})
	if c == nil {
		if changed {
			return // refused by a code of the language
		}
		t.Fatalf("does not compile:\n%s\n%s", shown(list), model.Text)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{path}, nil, data.Options{})
	if len(errs) > 0 {
		if changed {
			return
		}
		t.Fatalf("%v\n%s\n%s", errs[0], model.Text, text)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		if changed {
			return
		}
		t.Fatalf("%v\n%s", err, model.Text)
	}
	e := m.Evaluator(0)
	reference := func(x []float64) float64 {
		if changed { // sizes and types that do not fit are found nowhere else
			defer func() {
				switch r := recover().(type) {
				case nil:
				case runtime.Error:
					fail("%v", r)
				default:
					panic(r)
				}
			}()
		}
		return densityAt(prog, values, m, e, x)
	}
	points := make([][]float64, 4)
	var ours, theirs []float64
	for i := range points {
		points[i] = make([]float64, m.Dim())
		for k := range points[i] {
			points[i][k] = 1.2*r.Float64() - 0.6
		}
		ours = append(ours, e.LogDensity(points[i], nil, 1, 0))
		theirs = append(theirs, reference(points[i]))
	}
	for i, x := range theirs {
		rejected := math.IsNaN(x) || math.IsInf(x, 0)
		if rejected && !math.IsNaN(ours[i]) && !math.IsInf(ours[i], 0) {
			t.Fatalf("Stan rejects a point, and the log density is %v\n%s\n%s", ours[i], model.Text, text)
		}
		if rejected && !changed && head(string(program), "rejects") != "" {
			return // seen to be kept out
		}
		if changed && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return // a point that Stan rejects
		}
	}
	for i := range points[1:] {
		a, b := ours[i+1]-ours[0], theirs[i+1]-theirs[0]
		scale := 1.0
		for _, x := range append(ours, theirs...) {
			scale = math.Max(scale, math.Abs(x))
		}
		if !(math.Abs(a-b) <= loose*scale) {
			t.Fatalf("the log density differs by %v between two points, and by %v in Stan\n%v %v\n%s\n%s",
				a, b, ours, theirs, model.Text, text)
		}
	}
	if changed {
		return
	}
	if ours[1] == ours[0] && m.Dim() > 0 {
		t.Errorf("the density is constant: nothing is compared\n%s", model.Text)
	}
	gradients(t, points[0], reference, func(x, g []float64) { e.Gradient(x, nil, 1, 0, g) })
}

// densityAt is the log density of the program where the model is at x.
func densityAt(
	prog *syntax.Program, values map[string]any, m *model.Model, e *model.Evaluator, x []float64,
) float64 {
	out := make([]float64, m.OutputLen())
	e.Constrain(x, out)
	params, more := map[string]any{}, 0.0
	for _, o := range m.Outputs() {
		params[o.Name] = out[o.Offset : o.Offset+o.Len]
	}
	ref := newMachine(prog)
	for k, v := range values {
		ref.scope[0][k] = v
	}
	ref.list(prog.TransData)
	p := map[string]any{}
	for _, s := range prog.Params {
		if d, ok := s.(*syntax.Decl); ok {
			v, j := ref.param(d.Type, d.Name, params)
			p[d.Name], more = v, more+j
		}
	}
	return logDensity(prog, values, p) + more
}

func gradients(
	t *testing.T, x []float64, f func([]float64) float64, gradient func(x, g []float64),
) {
	g := make([]float64, len(x))
	gradient(x, g)
	for k := range x {
		const h = 1e-5
		y := append([]float64{}, x...)
		y[k] = x[k] + h
		up := f(y)
		y[k] = x[k] - h
		down := f(y)
		d := (up - down) / (2 * h)
		if !(math.Abs(d-g[k]) <= 1e-5*(1+math.Abs(d)+1e-3*math.Abs(up))) {
			t.Errorf("coordinate %d of the gradient is %v, and %v by differences", k, g[k], d)
		}
	}
}

// param makes a param of the program of what the model has under its name; log|J| is that of the
// matrices that the model has as Cholesky factors.
func (m *machine) param(t *syntax.Type, name string, have map[string]any) (any, float64) {
	if t.Base == "tuple" {
		out, j := &list{kind: 't'}, 0.0
		for i, p := range t.Tuple { // an array of tuples is a tuple of arrays in the model
			own := *p
			own.Array = append(append([]syntax.Expr{}, t.Array...), p.Array...)
			v, more := m.param(&own, fmt.Sprintf("%s_%d", name, i+1), have)
			out.elems, j = append(out.elems, v), j+more
		}
		for range t.Array {
			out = turnedTuples(out)
		}
		return out, j
	}
	jac := 0.0
	var build func(axis int) any
	var x []float64
	take := func() float64 {
		v := x[0]
		x = x[1:]
		return v
	}
	matrix := func(r, c int) [][]float64 {
		out := make([][]float64, r)
		for i := range out {
			for range c {
				out[i] = append(out[i], take())
			}
		}
		return out
	}
	key := name
	switch t.Base {
	case "corr_matrix", "cov_matrix":
		key = "L_" + name
	case "column_stochastic_matrix":
		key = name + "_columns"
	}
	if m, is := m.rectangle(t, name, have); is {
		return m, 0
	}
	if have[key] == nil {
		key += "_"
	}
	x = have[key].([]float64)
	n := func(k int) int { return whole(m.expr(t.Sizes[min(k, len(t.Sizes)-1)])) }
	build = func(axis int) any {
		if axis < len(t.Array) {
			out := &list{kind: 'a'}
			for range whole(m.expr(t.Array[axis])) {
				out.elems = append(out.elems, build(axis+1))
			}
			return out
		}
		switch t.Base {
		case "real":
			return take()
		case "row_vector":
			return vec('r', matrix(1, n(0))[0])
		case "matrix", "cholesky_factor_corr", "cholesky_factor_cov", "row_stochastic_matrix":
			return mat(matrix(n(0), n(1)))
		case "column_stochastic_matrix":
			return mat(transpose(matrix(n(1), n(0))))
		case "corr_matrix", "cov_matrix":
			l := matrix(n(0), n(0))
			for k := range l {
				p := float64(len(l) - k)
				if t.Base == "corr_matrix" {
					p--
				}
				jac += p * math.Log(l[k][k])
			}
			return mat(squared(l))
		}
		return vec('v', matrix(1, n(0))[0])
	}
	return build(0), jac
}

func shown(l diag.List) string {
	var b strings.Builder
	l.Render(&b, false)
	return b.String()
}

// rectangle makes a matrix that the model has as two params, or by contrasts of its rows.
func (m *machine) rectangle(t *syntax.Type, name string, have map[string]any) (any, bool) {
	top, is := have[name+"_top"].([]float64)
	if is {
		rows, cols := whole(m.expr(t.Sizes[0])), whole(m.expr(t.Sizes[1]))
		all := append(append([]float64{}, top...), have[name+"_rest"].([]float64)...)
		out := make([][]float64, rows)
		for i := range out {
			out[i] = all[i*cols : (i+1)*cols]
		}
		return mat(out), true
	}
	free, is := have[name+"_contrasts"].([]float64)
	if !is {
		return nil, false
	}
	rows, cols := whole(m.expr(t.Sizes[0])), whole(m.expr(t.Sizes[1]))
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
	}
	for k := range rows - 1 { // Helmert's contrasts: 1 … 1, -(k + 1), 0 … 0, of length 1
		long := math.Sqrt(float64((k + 1) * (k + 2)))
		for j := range cols {
			x := free[k*cols+j] / long
			for i := range k + 1 {
				out[i][j] += x
			}
			out[k+1][j] -= float64(k+1) * x
		}
	}
	return mat(out), true
}

// turnedTuples makes an array of tuples of a tuple of arrays.
func turnedTuples(parts *list) *list {
	out := &list{kind: 'a'}
	for i := range parts.elems[0].(*list).elems {
		one := &list{kind: 't'}
		for _, p := range parts.elems {
			one.elems = append(one.elems, p.(*list).elems[i])
		}
		out.elems = append(out.elems, one)
	}
	return out
}
