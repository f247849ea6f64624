package reference

import (
	"encoding/json"
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
		for name, form := range map[string]translate.Unrolled{"loops": {},
			"turns": {All: true}} {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".stan")+"/"+name, func(t *testing.T) {
				compareAs(t, f, false, func(src *source.File, path string) (*source.File, diag.List) {
					r, diags := stan.ImportBound(src, stan.ReadData([]string{path}, nil), form, nil)
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
// makes it as the commands do. A program that was changed by chance may be refused, and fail when
// it runs.
func compareAs(t *testing.T, file string, changed bool,
	translated func(src *source.File, path string) (*source.File, diag.List)) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			if !changed {
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
	c := &corpusProgram{src: source.New(filepath.Base(file), string(program)), changed: changed,
		text: string(program), r: rand.New(rand.NewPCG(1, 2))}
	c.prog, _ = syntax.Parse(c.src)
	if c.refused(t, translated == nil) {
		return
	}
	c.inventData(t)
	c.translate(t, translated)
	if c.bind(t) {
		c.compare(t)
	}
}

// A corpusProgram is a program of Stan on its way to a comparison.
type corpusProgram struct {
	text     string
	src      *source.File
	prog     *syntax.Program
	changed  bool
	r        *rand.Rand
	values   map[string]any // data
	dataText []byte
	path     string       // of the data
	model    *source.File // its translation
	vm       *model.Model
}

// refused holds the codes by which a program is refused against those that its head names, and
// reports whether it is refused whatever the data are.
func (c *corpusProgram) refused(t *testing.T, withoutData bool) bool {
	m, diags := stan.Model(c.src)
	c.model = m
	needs := head(c.text, "bound")
	if withoutData && needs != "" && (m != nil || diags[0].Code != diag.Code(needs)) {
		t.Errorf("not refused with %s where the data are not known: %s", needs, shown(diags))
	}
	code := head(c.text, "refused")
	if code != "" && (m != nil || diags[0].Code != diag.Code(code)) {
		t.Errorf("not refused with %s: %s", code, shown(diags))
	}
	return code != ""
}

// inventData makes the data that the head of a program does not give.
func (c *corpusProgram) inventData(t *testing.T) {
	given := map[string]any{}
	if s := head(c.text, "data"); s != "" {
		if err := json.Unmarshal([]byte(s), &given); err != nil {
			t.Fatal(err)
		}
	}
	c.values = invent(c.prog, given, c.r)
	text, err := encode(c.values)
	if err != nil {
		t.Fatal(err)
	}
	c.dataText, c.path = text, filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(c.path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// translate translates the program for its data, where it needs them.
func (c *corpusProgram) translate(
	t *testing.T, translated func(src *source.File, path string) (*source.File, diag.List),
) {
	var diags diag.List
	switch {
	case translated != nil:
		c.model, diags = translated(c.src, c.path)
	case head(c.text, "bound") != "":
		c.model, _, diags = stan.ModelFor(c.src, func() map[string]*translate.Given {
			return stan.ReadData([]string{c.path}, nil)
		}, nil, func(m *source.File) diag.List {
			out, list := driver.Compile(m, driver.Options{})
			if out == nil {
				t.Logf("does not compile:\n%s", shown(list))
			}
			return list
		})
	case c.model == nil:
		_, diags = stan.Model(c.src)
	}
	if c.model == nil {
		t.Fatalf("refused:\n%s", shown(diags))
	}
}

// bind compiles the model and binds it to the data, which a program that was changed may refuse.
func (c *corpusProgram) bind(t *testing.T) bool {
	out, list := driver.Compile(c.model, driver.Options{})
	if out == nil {
		if !c.changed {
			t.Fatalf("does not compile:\n%s\n%s", shown(list), c.model.Text)
		}
		return false
	}
	bound, _, errs := data.Bind(&out.Spec.Schema, []string{c.path}, nil, data.Options{})
	if len(errs) > 0 {
		if !c.changed {
			t.Fatalf("%v\n%s\n%s", errs[0], c.model.Text, c.dataText)
		}
		return false
	}
	m, err := out.VM(bound, nil)
	if err != nil && !c.changed {
		t.Fatalf("%v\n%s", err, c.model.Text)
	}
	c.vm = m
	return err == nil
}

// reference is the interpreter's log density. In a program that was changed sizes and types that
// do not fit are found here alone.
func (c *corpusProgram) reference(e *model.Evaluator, x []float64) float64 {
	if c.changed {
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
	return densityAt(c.prog, c.values, c.vm, e, x)
}

// compare compares differences of log densities between random points, and the gradient at one.
func (c *corpusProgram) compare(t *testing.T) {
	loose := tolerance
	if head(c.text, "ode") != "" {
		loose = 1e-5
	}
	e := c.vm.Evaluator(0)
	points := make([][]float64, 4)
	var ours, theirs []float64
	scale := 1.0
	for i := range points {
		points[i] = make([]float64, c.vm.Dim())
		for k := range points[i] {
			points[i][k] = 1.2*c.r.Float64() - 0.6
		}
		a, b := e.LogDensity(points[i], nil, 1, 0), c.reference(e, points[i])
		ours, theirs = append(ours, a), append(theirs, b)
		scale = math.Max(scale, math.Max(math.Abs(a), math.Abs(b)))
	}
	for i, x := range theirs {
		rejected := math.IsNaN(x) || math.IsInf(x, 0)
		if rejected && !math.IsNaN(ours[i]) && !math.IsInf(ours[i], 0) {
			t.Fatalf("Stan rejects a point, and the log density is %v\n%s\n%s", ours[i], c.model.Text,
				c.dataText)
		}
		if rejected && (c.changed || head(c.text, "rejects") != "") {
			return // seen to be kept out
		}
	}
	for i := range points[1:] {
		if a, b := ours[i+1]-ours[0], theirs[i+1]-theirs[0]; !(math.Abs(a-b) <= loose*scale) {
			t.Fatalf("the log density differs by %v between two points, and by %v in Stan\n%v %v\n%s\n%s",
				a, b, ours, theirs, c.model.Text, c.dataText)
		}
	}
	if c.changed {
		return
	}
	if ours[1] == ours[0] && c.vm.Dim() > 0 {
		t.Errorf("the density is constant: nothing is compared\n%s", c.model.Text)
	}
	gradients(t, points[0], func(x []float64) float64 { return c.reference(e, x) },
		func(x, g []float64) { e.Gradient(x, nil, 1, 0, g) })
}

// densityAt is the log density of the program where the model is at x.
func densityAt(
	prog *syntax.Program, values map[string]any, m *model.Model, e *model.Evaluator, x []float64,
	draws ...[]float64,
) float64 {
	out := make([]float64, m.OutputLen())
	e.Constrain(x, out)
	params, more := map[string]any{}, 0.0
	for _, o := range m.Outputs() {
		params[o.Name] = out[o.Offset : o.Offset+o.Len]
	}
	ref := newMachine(prog)
	ref.drawn = draws
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
	return logDensity(prog, values, p, draws...) + more
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

func shown(l diag.List) string {
	var b strings.Builder
	l.Render(&b, false)
	return b.String()
}
