package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/stdlib"
)

func sharedModels() string {
	dir, _ := reference.Dir()
	return filepath.Join(dir, "models")
}

// complete looks into the side tables of an accepted model: every value has a
// type, every call a meaning, every ~ a distribution.
func complete(t *testing.T, m *check.Model) {
	t.Helper()
	v := visitor{t, m}
	for _, s := range m.File.Stmts {
		v.stmt(s)
	}
}

type visitor struct {
	t *testing.T
	m *check.Model
}

func (v visitor) value(e ast.Expr) {
	if e == nil {
		return
	}
	if k, ok := v.m.Types[e]; !ok || k.Kind == types.Invalid {
		v.t.Errorf("no type for the expression at %d", e.Pos().Start)
	}
	switch e := e.(type) {
	case *ast.Name:
		if v.m.Uses[e] == nil {
			v.t.Errorf("no meaning for the name %s", e.Name)
		}
	case *ast.Binary:
		v.value(e.X)
		v.value(e.Y)
	case *ast.Unary:
		v.value(e.X)
	case *ast.Paren:
		v.value(e.X)
	case *ast.If:
		v.value(e.Cond)
		v.value(e.Then)
		v.value(e.Else)
	case *ast.Array:
		for _, x := range e.Elems {
			v.value(x)
		}
	case *ast.Comp:
		v.value(e.Elem)
		for i := range e.Binds {
			v.bind(&e.Binds[i])
		}
	case *ast.Scan:
		v.bind(&e.Bind)
		for i := range e.Carries {
			v.value(e.Carries[i].Init)
			if v.m.Uses[&e.Carries[i].Name] == nil {
				v.t.Errorf("no symbol for the carried %s", e.Carries[i].Name.Name)
			}
		}
		v.block(e.Body)
	case *ast.Index:
		v.value(e.X)
		for _, s := range e.Subs {
			if v.m.Indexes[s] == nil {
				v.t.Errorf("no meaning for the subscript at %d", s.Pos().Start)
			}
		}
	case *ast.Call:
		c := v.m.Callees[e]
		if c == nil {
			// T(s), the length of a row
			if _, ok := v.m.Sizes[e]; !ok {
				v.t.Errorf("no meaning for the call at %d", e.Span.Start)
			}
			return
		}
		for i, a := range c.Args {
			if a == nil || c.Ode != nil && i == 0 {
				continue
			}
			if _, size := v.m.Sizes[a]; !size {
				v.value(a)
			}
		}
	}
}

func (v visitor) bind(b *ast.Bind) {
	if v.m.Ranges[b] == nil || v.m.Uses[&b.Var] == nil {
		v.t.Errorf("no range for the index %s", b.Var.Name)
	}
}

func (v visitor) block(b *ast.Block) {
	if b == nil {
		return
	}
	for _, l := range b.Lets {
		v.stmt(l)
	}
	if tuple, ok := b.Result.(*ast.Tuple); ok {
		for _, e := range tuple.Elems {
			v.value(e)
		}
		return
	}
	v.value(b.Result)
}

func (v visitor) dist(d *ast.DistExpr) {
	if d == nil {
		return
	}
	use := v.m.Dists[d]
	if use == nil {
		v.t.Errorf("no meaning for the distribution %s", d.Name.Name)
		return
	}
	for _, a := range use.Args {
		v.value(a)
	}
	if use.Form == check.Plain &&
		(len(use.Args) != len(use.Def.Params) || len(use.Shared) != len(use.Args)) {
		v.t.Errorf("the arguments of %s are not complete", d.Name.Name)
	}
}

func (v visitor) groups(list []ast.Group) {
	for i := range list {
		g := &list[i]
		v.dist(g.Prior)
		v.value(g.Default)
		for j := range g.Vars {
			s := v.m.Uses[&g.Vars[j].Name]
			if s == nil || s.Type.Kind == types.Invalid {
				v.t.Errorf("no symbol for %s", g.Vars[j].Name.Name)
			} else if g.Prior != nil && s.Prior == nil {
				v.t.Errorf("no prior for %s", s.Name)
			}
		}
	}
}

func (v visitor) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Data:
		v.groups(s.Groups)
	case *ast.ParamDecl:
		v.groups(s.Groups)
	case *ast.Local:
		v.groups(s.Groups)
	case *ast.Let:
		v.value(s.Value)
	case *ast.Tilde:
		v.value(s.Left)
		v.dist(s.Dist)
	case *ast.Factor:
		v.value(s.Value)
	case *ast.Fn:
		v.block(s.Body)
	case *ast.For:
		for i := range s.Binds {
			v.bind(&s.Binds[i])
		}
		for _, x := range s.Body {
			v.stmt(x)
		}
	case *ast.LayerUse:
		for i := range s.Items {
			sym := v.m.Uses[&s.Items[i].Name]
			if sym == nil || sym.Inst == nil || len(sym.Inst.Params) == 0 {
				v.t.Errorf("no weights for the layer %s", s.Items[i].Name.Name)
				continue
			}
			for _, w := range sym.Inst.Params {
				if w.Prior != nil && w.Use == nil {
					v.t.Errorf("no prior for %s.%s", sym.Name, w.Param.Name)
				}
			}
		}
	}
}

func TestTables(t *testing.T) {
	for _, path := range modelFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := checkText(filepath.Base(path), string(text))
		complete(t, m)
	}
	for _, text := range accepted {
		m, diags := checkText("accepted", text)
		if diags.Errors() {
			t.Errorf("refused:\n%s\n%s", text, show(diags))
			continue
		}
		complete(t, m)
	}
}

// TestLibrary checks every file of the library by itself.
func TestLibrary(t *testing.T) {
	for _, n := range stdlib.Names() {
		text, _ := stdlib.Source(n)
		if _, diags := checkText(n+".sg", text); len(diags) > 0 {
			t.Errorf("%s:\n%s", n, show(diags))
		}
	}
}
