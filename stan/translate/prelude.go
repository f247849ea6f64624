package translate

import (
	"embed"
	"sync"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/syntax"
)

//go:embed prelude/*.stan
var preludeText embed.FS

// prelude are functions of Stan's library that are written in Stan, by their names.
var prelude = sync.OnceValue(func() map[string][]*syntax.Func {
	out := map[string][]*syntax.Func{}
	files, err := preludeText.ReadDir("prelude")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		text, err := preludeText.ReadFile("prelude/" + f.Name())
		if err != nil {
			panic(err)
		}
		prog, diags := syntax.Parse(source.New(f.Name(), string(text)))
		if diags.Errors() {
			panic(f.Name() + ": " + diags[0].Message)
		}
		for _, f := range prog.Functions {
			f.Library = true
			out[f.Name] = append(out[f.Name], f)
		}
	}
	return out
})

// borrow makes functions of the prelude those of a program that calls them and has none of that
// name.
func (t *translator) borrow(prog *syntax.Program) {
	for _, f := range prog.Functions {
		t.borrowIn(f.Body)
	}
	for _, b := range [][]syntax.Stmt{prog.Data, prog.TransData, prog.Params, prog.TransParams,
		prog.Model, prog.Generated} {
		t.borrowIn(b)
	}
}

// borrowIn does so for what statements call.
func (t *translator) borrowIn(list []syntax.Stmt) {
	syntax.Walk(list, func(s syntax.Stmt) {
		if x, ok := s.(*syntax.Tilde); ok {
			suffixes := []string{"_lpdf", "_lpmf"}
			if x.Trunc {
				suffixes = append(suffixes, "_lcdf", "_lccdf")
			}
			for _, suffix := range suffixes {
				t.borrowFunc(x.Dist + suffix)
			}
		}
		syntax.Exprs(s, func(e syntax.Expr) {
			if c, ok := e.(*syntax.Call); ok && library[c.Fun] == nil {
				t.borrowFunc(c.Fun)
			}
		})
	})
}

// borrowFunc makes a function of the prelude, and what it calls, those of the program.
func (t *translator) borrowFunc(name string) {
	list := prelude()[name]
	if list == nil || t.funcs[name] != nil {
		return
	}
	t.funcs[name] = list
	for _, f := range list {
		t.borrowIn(f.Body)
	}
}

// fromPrelude expands a function of the prelude, of which the library has the frequent cases.
func (c *calling) fromPrelude(name string, args ...*value) *value {
	own := c.funcs[name]
	delete(c.funcs, name)
	c.borrowFunc(name)
	defer func() {
		if own != nil {
			c.funcs[name] = own
		}
	}()
	return c.expand(name, args, c.at, false)
}
