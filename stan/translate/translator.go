// Package translate makes a model of the language from a Stan program: loops become plates,
// comprehensions, sums and scans, and statements become values.
package translate

import (
	"strconv"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A Result is an imported program.
type Result struct {
	Text  string        // the model, laid out
	Lines []source.Span // of each line of the text: the place in the Stan program that it is from
}

// A translator translates one program.
type translator struct {
	prog   *syntax.Program
	diags  diag.List
	count  int
	syms   map[string]*sym
	shapes map[*sym][]size.Poly
	ints   map[*sym]intInfo
	minDim map[string]int // the least value of a size

	scope []map[string]*variable
	vars  []*variable
	funcs map[string][]*syntax.Func
	calls int // how many calls of functions are open
	aside int // of them, those of functions of the library

	blk       *block
	loops     []*loop
	conds     []node
	quiet     bool // terms are not added
	terms     int
	after     []carriedOver
	most      map[string]size.Poly // of lengths that data or an index give: what they do not exceed
	reading   map[*sym]size.Poly   // while a loop is looked at: the axes that its index goes along
	readFrom  int                  // how many conditions held where that began
	spies     []*spy
	auto      map[*sym]bool // lets that the program does not name
	callAt    *source.Span
	here      source.Span // the statement that is being translated
	result    *variable   // of the function that is being expanded
	inRNG     bool        // in generated quantities
	partial   *variable   // that a scan is about to carry: not every entry has to be assigned
	noWindows bool        // scans carry whole variables
	facts     []fact      // what is assumed while it is looked whether every entry is assigned

	used   map[string]use
	sizes  map[string]bool // data that are sizes
	data   []*given
	params []*param
	fns    []*function
	bodies map[string]*function
	root   *block // the file behind the params
	before *block // lets of data alone, before the params
	doc    string
	dists  map[string]bool // laws that the output defines
	bound  *binding        // nil where the data are not known
}

func itoa(n int) string { return strconv.Itoa(n) }

func (t *translator) open() {
	t.scope = append(t.scope[:len(t.scope):len(t.scope)], map[string]*variable{})
}
func (t *translator) close() { t.scope = t.scope[:len(t.scope)-1] }

func (t *translator) lookup(name string) *variable {
	for i := len(t.scope) - 1; i >= 0; i-- {
		if v := t.scope[i][name]; v != nil {
			return v
		}
	}
	return nil
}

// bindVar makes a name stand for a value.
func (t *translator) bindVar(name string, val *value) *variable {
	v := &variable{name: name, t: val.t, sh: val.sh, base: val, depth: len(t.loops),
		conds: len(t.conds), blk: t.blk}
	t.vars = append(t.vars, v)
	t.scope[len(t.scope)-1][name] = v
	return v
}

// Program translates a program. With errors in the list there is no result.
func Program(prog *syntax.Program) (*Result, diag.List) { return newTranslator(prog).program() }

func newTranslator(prog *syntax.Program) *translator {
	t := &translator{prog: prog, syms: map[string]*sym{}, shapes: map[*sym][]size.Poly{},
		ints: map[*sym]intInfo{}, minDim: map[string]int{}, funcs: map[string][]*syntax.Func{},
		auto: map[*sym]bool{}, most: map[string]size.Poly{}, bodies: map[string]*function{},
		dists: map[string]bool{}}
	t.scope = []map[string]*variable{{}}
	t.before = &block{}
	t.root = &block{}
	t.blk = t.before
	for _, f := range prog.Functions {
		if f.Body != nil {
			t.funcs[f.Name] = append(t.funcs[f.Name], f)
		}
	}
	t.borrow(prog)
	t.used = uses(prog)
	t.sizes = sizeNames(prog, t.funcs)
	return t
}

func (t *translator) program() (*Result, diag.List) {
	prog := t.prog
	t.guard(prog.Data, t.dataDecl)
	t.top(prog.TransData, false)
	t.guard(prog.Params, t.paramDecl)
	t.blk = t.root
	t.top(prog.TransParams, true)
	t.open()
	t.guard(prog.Model, t.statement)
	t.close()
	t.inRNG = true
	t.generated(prog.Generated)
	t.diags.Sort()
	if t.diags.Errors() {
		return nil, t.diags
	}
	return t.write(), t.diags
}

// guard translates statements, and goes on behind those that it cannot translate.
func (t *translator) guard(list []syntax.Stmt, f func(syntax.Stmt)) {
	for k := 0; k < len(list); k++ {
		s := list[k]
		m := t.remember()
		if d := t.trying(func() { f(s) }); d != nil {
			t.forget(m)
			if !t.broken(d) {
				t.diags.Add(d)
				t.errorsInside(s, d)
			}
			t.breakNames(s)
		}
	}
}

// trying is try, which takes a loop's need for a value from outside any loop as an error.
func (t *translator) trying(f func()) (d *diag.Diagnostic) {
	defer func() {
		if r := recover(); r != nil {
			n, ok := r.(needCarry)
			if !ok {
				panic(r)
			}
			d = t.diagnostic(syntax.LoopCarried, n.s, "turns of the loop depend on each other through %s",
				n.v.name)
		}
	}()
	return try(f)
}

// brokenNode stands for the value of what could not be translated: an error that comes of it is
// not told again.
type brokenNode struct{}

func (t *translator) broken(d *diag.Diagnostic) bool { return d.Code == "" }

// breakNames marks what a statement would have assigned.
func (t *translator) breakNames(s syntax.Stmt) {
	if d, ok := s.(*syntax.Decl); ok {
		if t.lookup(d.Name) == nil {
			v := t.bindVar(d.Name, &value{n: brokenNode{}})
			v.name = d.Name
		}
	}
	for v := range t.assignedIn([]syntax.Stmt{s}) {
		if !v.fixed {
			v.base, v.writes = &value{n: brokenNode{}, t: v.t, sh: v.sh}, nil
		}
	}
}

// top translates a block whose variables are of the whole program: transformed data, and
// transformed parameters, which are tracked.
func (t *translator) top(list []syntax.Stmt, track bool) {
	t.guard(list, t.statement)
	for _, s := range list {
		d, ok := s.(*syntax.Decl)
		if !ok {
			continue
		}
		v := t.lookup(d.Name)
		if v == nil || v.isBroken() {
			continue
		}
		if track && d.Type.Base == "int" {
			t.diags.Add(t.diagnostic(syntax.NoType, d.Type.Pos(),
				"transformed parameters are real in Stan, and this is an int"))
		}
		v.fix()
		if err := t.trying(func() { t.settle(v, track) }); err != nil {
			if err.Code == syntax.NotFilled && !track {
				continue // nothing reads it, or it is told there
			}
			t.diags.Add(err)
		} else if track {
			if err := t.trying(func() { t.constraint(d, v) }); err != nil {
				t.diags.Add(err)
			}
		}
	}
}

// fix ends the block that declared a variable: no other block assigns it.
func (v *variable) fix() {
	v.fixed = true
	for _, p := range v.elems {
		p.fix()
	}
}

func (v *variable) isBroken() bool {
	if v.base == nil {
		return false
	}
	_, is := v.base.n.(brokenNode)
	return is
}

// settle gives a variable of the whole program its let, and tracks it.
func (t *translator) settle(v *variable, track bool) {
	if v.t.base == tupleBase {
		for _, p := range v.elems {
			t.settle(p, track)
		}
		return
	}
	if v.base == nil && len(v.writes) == 0 && v.cells == nil {
		for _, p := range v.sh {
			if n, ok := p.Number(); ok && n == 0 {
				return
			}
		}
	}
	val := t.materialise(v, v.span)
	if val.isIntScalar() && !track {
		return // it stands where it is used
	}
	r, plain := val.n.(ref)
	if plain && r.s.def != nil {
		t.rename(r.s, v)
	}
	if plain && r.s.def != nil && r.s.base == v.name && !t.taken(r.s) {
		t.mark(r.s, track, v)
		return
	}
	if !track && plain {
		return
	}
	if _, isNumber := val.n.(number); isNumber && !track {
		return
	}
	s := t.let(t.blk, v.name, val)
	t.mark(s, track, v)
	w := *val
	w.n = ref{s}
	if val.t.base == intBase && val.t.arr == 0 {
		return
	}
	v.base = &w
}

// taken reports whether a let is another variable's already.
func (t *translator) taken(s *sym) bool {
	for _, b := range []*block{t.before, t.root} {
		for _, x := range b.stmts {
			if x.kind == letStmt && x.syms[0] == s {
				return x.track
			}
		}
	}
	return true
}

func (t *translator) mark(s *sym, track bool, v *variable) {
	for _, b := range []*block{t.before, t.root} {
		for _, x := range b.stmts {
			if x.kind == letStmt && len(x.syms) == 1 && x.syms[0] == s {
				x.track, x.doc, x.declared = track, v.doc, v.span.Start
			}
		}
	}
}
