// Package codegen prints plans as a Go package that a person would want to
// read. The package imports only runtime/… and the standard library, and does
// exactly the operations of the plan, in its order, so that its bits are those
// of the VM.
package codegen

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Input is a compiled model.
type Input struct {
	Spec     *model.Spec
	Programs []*plan.Program // in the order in which they are printed
	Package  string          // its name, an identifier; "" is made of the model's
	// Unformatted leaves out gofmt's layout, which takes most of the time: for a package that the
	// go command reads and nobody else.
	Unformatted bool
}

// Files are the files of a package by name.
type Files map[string][]byte

// importable returns a name that may be an element of an import path: ASCII letters and digits, and
// not a name that the go command or a file system reserves.
func importable(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < 128 {
			return r
		}
		return -1
	}, name)
	switch ascii {
	case "", "vendor", "internal", "testdata", "con", "prn", "aux", "nul":
		return ascii + "model"
	}
	if len(ascii) == 4 && (ascii[:3] == "com" || ascii[:3] == "lpt") && ascii[3] >= '0' &&
		ascii[3] <= '9' {
		return ascii + "model"
	}
	return ascii
}

// Generate prints the package. An error means that a plan asks for what has
// no Go text: a mistake of the compiler, not of the model.
func Generate(in Input) (Files, error) {
	g, err := newGenerator(in)
	if err != nil {
		return nil, err
	}
	files := Files{}
	sections := []section{
		{"model.go", g.modelFile},
		{"options.go", g.optionsFile},
		{"sample.go", g.sampleFile},
		{"spec.go", g.specFile},
	}
	if g.hasRows() {
		sections = append(sections, section{"new.go", g.rowsFile})
	}
	for _, s := range sections {
		text, err := s.make()
		if err != nil {
			return nil, err
		}
		if err := g.add(files, s.file, text); err != nil {
			return nil, err
		}
	}
	bodies := map[string]string{}
	for _, p := range in.Programs {
		text, err := g.function(p, g.types[p.ID])
		if err != nil {
			return nil, err
		}
		bodies[fileOf(p.ID)] += text
	}
	for name, text := range bodies {
		if err := g.add(files, name, text); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// A section is a file of every package.
type section struct {
	file string
	make func() (string, error)
}

// fileOf says which file a function is in.
func fileOf(id fn.ID) string {
	switch {
	case id.Kind == fn.Constrain || id.Kind == fn.Unconstrain:
		return "transforms.go"
	case id.Site != "" || id.Kind == fn.Loglik:
		return "rows.go"
	}
	return camel(string(id.Kind)) + ".go"
}

// describe says what a function computes, after its type's name.
func (g *generator) describe(id fn.ID) string {
	site := clean(id.Site)
	switch id.Kind {
	case fn.Gradient:
		return "computes ∇f at a state, where\n" +
			"// f(x) = scale · Σ log p(row | x) + log p(x) + jacobian · log|J(x)|."
	case fn.Evaluate:
		return "computes ∇f and f at once, f last."
	case fn.Difference:
		return "computes a gradient with a control variate at a state x, given an anchor a:\n" +
			"// Σ weight · (∇ log p(row | x) − ∇ log p(row | a)) + ∇(log p(x) + jacobian · " +
			"log|J(x)|)."
	case fn.Full:
		return "computes ∇f and f, f last, for all rows together: it reads sums over\n" +
			"// them that are computed once."
	case fn.Weighted:
		return "computes ∇f and f, f last, of rows that each have a weight."
	case fn.Statistics:
		return "computes the sums over rows that full reads."
	case fn.Totals:
		return "computes, once, what full reads of the sums over all rows."
	case fn.Density:
		return "computes f at a state, the function that gradient derives."
	case fn.Conditional:
		return "computes the numbers of the full conditional of an unknown."
	case fn.Constrain:
		return "maps a state to the model's own coordinates and the tracked values."
	case fn.Unconstrain:
		return "maps parameters in the model's own coordinates to the state."
	case fn.Constants:
		return "computes, once, the numbers that depend on the inputs as a whole."
	case fn.Derive:
		return "computes, once, what depends on the inputs alone, row by row."
	case fn.Loglik:
		return "computes the log likelihood of each row of a block."
	case fn.Mean:
		return "computes the expected " + site + " of each row of a block."
	case fn.Classes:
		return "computes the log probability of each outcome of " + site + ", row by row."
	}
	return "is the function " + clean(id.String()) + "."
}

type generator struct {
	Input
	universe *scope            // keywords, imports, the package's own names
	types    map[fn.ID]string  // struct of a function
	dims     map[string]string // identifier of a dim
	dimOrder []string
	text     *source.File
	params   []field // of Params
	tracks   []field
	inputs   []field // of Data
	sizes    []field // dims that are fields of Data
	offsets  map[fn.Kind]positions
}

func newGenerator(in Input) (*generator, error) {
	g := &generator{Input: in, universe: universe(), types: map[fn.ID]string{},
		dims: map[string]string{}, offsets: map[fn.Kind]positions{}}
	if g.Package == "" {
		g.Package = importable(strings.ToLower(camel(in.Spec.Name)))
	}
	if token.IsKeyword(g.Package) || g.Package == "main" || g.Package == "_" ||
		!token.IsIdentifier(g.Package) {
		g.Package = strings.ToLower(camel(g.Package)) + "model"
	}
	own := newScope(g.universe)
	for _, name := range packageNames {
		own.taken[name] = true
	}
	for _, p := range in.Programs {
		name := local(string(p.ID.Kind))
		if p.ID.Site != "" {
			name += exported(p.ID.Site)
		}
		// The names of the fixed functions are not taken yet; those of sites may be.
		for own.has(name) || own.has("new"+title(name)) {
			name += "Site"
		}
		own.taken[name], own.taken["new"+title(name)] = true, true
		g.types[p.ID] = name
	}
	g.nameDims()
	if in.Spec.Text != "" {
		g.text = source.New(in.Spec.Name, in.Spec.Text)
	}
	g.fields()
	return g, nil
}

// packageNames lists the names that every generated package declares, so that no function of the
// model gets one of them.
var packageNames = []string{
	"Data", "Params", "Tracked", "Model", "New", "Draw", "Posterior", "Summaries", "Option", "Rows",
	"Predicted", "settings", "bind", "Open", "Compiled", "code", "sizes", "sizesOf", "spec", "text",
}

// nameDims collects the dims that sizes mention: the schema's in order, then others.
func (g *generator) nameDims() {
	names := newScope(g.universe)
	take := func(d string) {
		if g.dims[d] == "" {
			g.dims[d] = names.fresh(camel(d))
			g.dimOrder = append(g.dimOrder, d)
		}
	}
	for _, d := range g.Spec.Schema.Dims {
		take(d.Name)
	}
	var others []string
	add := func(p size.Poly) { others = append(others, p.Dims()...) }
	for _, p := range g.Spec.Params {
		for _, s := range append(append([]size.Poly{}, p.State...), p.Shape...) {
			add(s)
		}
	}
	for _, p := range g.Programs {
		for _, b := range p.Buffers {
			add(b.Width())
		}
		for _, steps := range p.Steps {
			sequences(steps, func(q *plan.Sequence) { add(q.Axis.Size) })
		}
	}
	sort.Strings(others)
	for _, d := range others {
		take(d)
	}
}

// offset returns the position of a buffer of the state or of the output in its vector.
func (g *generator) offset(kind fn.Kind, b *plan.Buffer) size.Poly {
	at, ok := g.offsets[kind]
	if !ok {
		at = g.offsetsOf(kind)
		g.offsets[kind] = at
	}
	if b.Where == plan.State {
		return at.state[b.Name]
	}
	return at.output[b.Name]
}

// positions are those of names in the vector of the state of a function, and in that of its output.
type positions struct{ state, output map[string]size.Poly }

// offsetsOf finds the positions of all names, for functions of a kind.
func (g *generator) offsetsOf(kind fn.Kind) positions {
	state, value := map[string]size.Poly{}, map[string]size.Poly{}
	var at, out size.Poly
	for _, p := range g.Spec.Params {
		state[p.Name], value[p.Name] = at, out
		at, out = at.Add(product(p.State)), out.Add(product(p.Shape))
	}
	for _, t := range g.Spec.Tracks {
		value[t.Name] = out
		out = out.Add(product(t.Shape))
	}
	length := at
	for _, h := range g.Spec.Hidden {
		state[model.ValuePrefix+h.Name] = at
		at = at.Add(product(h.Shape))
	}
	in, to := state, map[string]size.Poly{}
	switch kind {
	case fn.Gradient:
		to = state
	case fn.Conditional:
		in = map[string]size.Poly{}
		for _, p := range g.Spec.Params {
			in[model.ValuePrefix+p.Name] = value[p.Name]
		}
		for _, h := range g.Spec.Hidden {
			in[model.ValuePrefix+h.Name] = out
			out = out.Add(product(h.Shape))
		}
		for _, c := range g.Spec.Conditionals {
			var at size.Poly
			for _, d := range c.Outputs {
				to[d.Name] = at
				at = at.Add(product(d.Shape))
			}
		}
	case fn.Difference:
		in, to = maps.Clone(state), state
		for _, p := range g.Spec.Params {
			in[model.AnchorPrefix+p.Name] = at.Add(state[p.Name])
		}
	case fn.Evaluate, fn.Full, fn.Weighted:
		to = maps.Clone(state)
		to[model.DensityOutput] = length
	case fn.Constrain:
		to = value
	case fn.Unconstrain:
		in, to = value, state
	case fn.Constants, fn.Derive, fn.Statistics, fn.Totals:
		var at size.Poly
		list := g.Spec.Derived
		switch kind {
		case fn.Constants:
			list = g.Spec.Constants
		case fn.Statistics:
			list = g.Spec.StatisticData()
		case fn.Totals:
			list = g.Spec.Totals
		}
		for _, d := range list {
			to[d.Name] = at
			at = at.Add(product(d.Shape))
		}
	}
	return positions{in, to}
}

func product(shape []size.Poly) size.Poly {
	n := size.Const(1)
	for _, s := range shape {
		n = n.Mul(s)
	}
	return n
}

// datum returns the index of the datum that a buffer reads.
func (g *generator) datum(b *plan.Buffer) int {
	for i, d := range g.Spec.Data {
		if d.Name == b.Name && d.Rows == b.Rows() && d.Sparse == b.Sparse {
			return i
		}
	}
	panic(fmt.Sprintf("codegen: no datum %s (rows %t, sparse %t)", b.Name, b.Rows(), b.Sparse))
}

// sourceLine returns the line of the model at an offset.
func (g *generator) sourceLine(offset int) (int, string) {
	if g.text == nil || offset < 0 || offset >= len(g.Spec.Text) {
		return 0, ""
	}
	n := g.text.Position(offset).Line
	return n, strings.TrimSpace(g.text.Line(n))
}

// add completes a file with header and imports, formats it and keeps it.
func (g *generator) add(files Files, name, body string) error {
	head := fmt.Sprintf("// Code generated by sgppl %s; DO NOT EDIT.\n\n", sgppl.Version)
	doc, decls := "", body
	if i := strings.Index(body, packageMark); i >= 0 {
		doc, decls = body[:i], body[i+len(packageMark):]
	}
	clause := doc + "package " + g.Package + "\n\n"
	imports, err := importsOf(head + clause + decls)
	if err != nil {
		return fmt.Errorf("codegen: %s: %w", name, err)
	}
	text := []byte(head + clause + imports + decls)
	if !g.Unformatted {
		if text, err = format.Source(text); err != nil {
			return fmt.Errorf("codegen: %s: %w", name, err)
		}
	}
	files[name] = text
	return nil
}

// packageMark stands between a package doc and the declarations.
const packageMark = "\x00package\x00"

// importsOf finds the packages that a file mentions, by its syntax: text in
// comments and strings does not count.
func importsOf(text string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] != "" {
				used[packages[x.Name]] = true
			}
		}
		return true
	})
	var std, own []string
	for path := range used {
		if strings.Contains(path, ".") {
			own = append(own, strconv.Quote(path))
		} else {
			std = append(std, strconv.Quote(path))
		}
	}
	if len(used) == 0 {
		return "", nil
	}
	sort.Strings(std)
	sort.Strings(own)
	gap := "\n"
	if len(std) > 0 && len(own) > 0 {
		gap = "\n\n"
	}
	return "import (\n" + strings.Join(std, "\n") + gap + strings.Join(own, "\n") + "\n)\n\n", nil
}
