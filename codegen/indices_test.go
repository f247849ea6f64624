package codegen_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/codegen/internal/probe"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
)

// indicesMain evaluates models on data, or says that the data were refused.
const indicesMain = `package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"PATH/probe"
IMPORTS)

var models = map[string]func() (*model.Spec, model.Code){
MODELS}

func main() {
	for _, arg := range os.Args[1:] {
		name, path, _ := strings.Cut(arg, "=")
		file, err := os.Open(path)
		if err != nil {
			panic(err)
		}
		_, bound, err := host.ReadJob(file)
		if err != nil {
			panic(err)
		}
		spec, code := models[name]()
		fmt.Printf("== %s\n", path)
		if m, err := model.New(spec, code, bound, nil); err != nil {
			fmt.Printf("refused: %v\n", err)
		} else {
			fmt.Print(probe.Report(m))
		}
	}
}
`

// uncapped are slices of generated code that leave room behind their end, so that Go
// would let a program read on.
var uncapped = regexp.MustCompile(`\[:([^\[\]:]+)\]`)

// TestNoEngineReadsOutside writes random models with indices and slices that depend on
// sizes, on data and on conditions, and binds each to data of random sizes. An evaluator
// of its own says which of them read outside an array: the model is refused for these, and
// for all others both engines agree with the evaluator, the generated code with every
// slice cut to its length, and kernels in Go, so that any read outside is a panic.
func TestNoEngineReadsOutside(t *testing.T) {
	t.Setenv("SGPPL_KERNELS", "portable")
	r := rand.New(rand.NewPCG(14, 1))
	type bound struct {
		world *world
		data  *data.Bound
		job   string
	}
	dir := t.TempDir()
	var cases []modelCase
	var texts []string
	var terms [][]*indexTerm
	var worlds [][]bound
	static, refused, taken, either := 0, 0, 0, 0
	for len(cases) < indexModels {
		text, list := indexPrelude, []*indexTerm{}
		for len(list) < 4 {
			one := randomTerm(r)
			c, diags := driver.Compile(source.New("one.sg", indexPrelude+one.text),
				driver.Options{})
			fine := 0 // of data of random sizes; where few are, so are models of several terms
			for range 20 {
				if _, v := one.run(randomWorld(r)); v != mustRefuse {
					fine++
				}
			}
			if c != nil && fine < 12 {
				continue
			}
			if c != nil {
				text, list = text+one.text, append(list, one)
				continue
			}
			for _, d := range diags {
				if d.Code != "E0408" && d.Code != "E0409" && d.Code != "E0412" {
					t.Fatalf("%s: %s %s", one.text, d.Code, d.Message)
				}
			}
			// What is refused before there are data reads outside, whatever the sizes, except for plates
			// without entries: the compiler counts on some.
			for range 20 {
				w := randomWorld(r)
				if _, v := one.run(w); v == mustAccept && diags[0].Code == "E0409" &&
					!slices.Contains(w.t, 0) {
					t.Errorf("refused by the compiler, though nothing is outside: %s", one.text)
				}
			}
			static++
		}
		name := fmt.Sprintf("m%d", len(cases))
		c, diags := driver.Compile(source.New(name+".sg", text), driver.Options{})
		if c == nil {
			t.Fatalf("%s\n%v", text, diags[0])
		}
		var made []bound
		for i := range indexWorlds {
			w := randomWorld(r)
			path := filepath.Join(dir, fmt.Sprintf("%s-%d.json", name, i))
			if err := os.WriteFile(path, w.json(), 0o666); err != nil {
				t.Fatal(err)
			}
			b, _, errs := data.Bind(&c.Spec.Schema, []string{path}, nil, data.Options{})
			if len(errs) > 0 {
				t.Fatalf("%v\n%s", errs[0], w.json())
			}
			made = append(made, bound{w, b, filepath.Join(dir, fmt.Sprintf("%s-%d", name, i))})
		}
		cases, texts = append(cases, modelCase{name: name, c: c, bound: made[0].data}),
			append(texts, text)
		terms, worlds = append(terms, list), append(worlds, made)
	}
	text, err := os.ReadFile("internal/probe/probe.go")
	if err != nil {
		t.Fatal(err)
	}
	where := ""
	defer func() {
		if x := recover(); x != nil {
			t.Fatalf("%v\n%s", x, where)
		}
	}()
	program := builtWith(t, cases, map[string][]byte{"probe/probe.go": text}, indicesMain,
		func(code []byte) []byte {
			lines := strings.Split(string(code), "\n")
			for i, line := range lines {
				if !strings.Contains(line, `"`) { // not in the text of the model
					lines[i] = uncapped.ReplaceAllString(line, "[:$1:$1]")
				}
			}
			return []byte(strings.Join(lines, "\n"))
		})
	for i, c := range cases {
		var args []string
		for _, b := range worlds[i] {
			file, err := os.Create(b.job)
			if err != nil {
				t.Fatal(err)
			}
			if err := host.WriteJob(file, host.Job{Work: json.RawMessage("null")},
				b.data); err != nil {
				t.Fatal(err)
			}
			file.Close()
			args = append(args, c.name+"="+b.job)
		}
		got, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			t.Errorf("generated code: %v\n%s\n%s", err, texts[i],
				got[max(0, strings.LastIndex(string(got), "== ")):])
		}
		sections := strings.Split(string(got), "== ")[1:]
		for k, b := range worlds[i] {
			where = fmt.Sprintf("%s\n%s", texts[i], b.world.json())
			verdict := mustAccept
			for _, term := range terms[i] {
				if _, v := term.run(b.world); v == mustRefuse || verdict == mustAccept {
					verdict = v
				}
			}
			m, err := c.c.VM(b.data, nil)
			want := "refused: " + fmt.Sprint(err) + "\n"
			switch {
			case err != nil && verdict == mustAccept:
				t.Errorf("refused, and nothing is outside: %v\n%s", err, where)
			case err == nil && verdict == mustRefuse:
				t.Errorf("an index is outside, and the data are taken\n%s", where)
			case err != nil:
				refused++
			}
			if verdict == mayDo {
				either++
			}
			if err == nil && verdict != mustRefuse {
				taken++
				want = probe.Report(m)
				x := make([]float64, m.Dim())
				for i := range x {
					x[i] = 0.25 + 0.5*float64(i%3) - 0.125*float64(i)
				}
				lp := func(x []float64) float64 {
					b.world.state(x)
					sum := 0.0
					for _, term := range terms[i] {
						v, _ := term.run(b.world)
						sum += v
					}
					return sum
				}
				e := m.Evaluator(m.Rows())
				gradient := make([]float64, len(x))
				is := e.LogDensityGradient(x, nil, 1, 1, gradient)
				if at := lp(x); !(math.Abs(is-at) <= 1e-9*(1+math.Abs(at))) {
					t.Errorf("the log density is %v, and not %v\n%s", is, at, where)
				}
				for j := range x { // terms are quadratic, so that differences are exact
					up, down := slices.Clone(x), slices.Clone(x)
					up[j], down[j] = up[j]+0.5, down[j]-0.5
					if d := lp(up) - lp(down); !(math.Abs(d-gradient[j]) <= 1e-8*(1+math.Abs(d))) {
						t.Errorf("entry %d of the gradient is %v, and not %v\n%s", j, gradient[j],
							d, where)
					}
				}
			}
			if k < len(sections) {
				if _, body, _ := strings.Cut(sections[k], "\n"); body != want {
					line, x, y := firstDifference(body, want)
					t.Errorf("line %d:\ngenerated %s\nVM        %s\n%s", line, x, y, where)
				}
			}
		}
	}
	t.Logf("%d terms refused by the compiler; of %d bindings %d refused, %d taken, %d where "+
		"either is right", static, indexModels*indexWorlds, refused, taken, either)
	if refused < indexModels || taken < indexModels {
		t.Errorf("%d bindings refused and %d taken are too few to show anything", refused, taken)
	}
}
