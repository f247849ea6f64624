package check

import (
	"strings"
	"sync"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// module parses and checks a library file once. It returns nil if there is no such file.
func (c *checker) module(name string) *unit {
	if u, ok := c.modules[name]; ok {
		return u
	}
	lib, ok := libraryFile(name)
	if !ok {
		return nil
	}
	f := lib.file
	c.m.Diags = append(c.m.Diags, lib.diags...)
	u := newUnit(f, name)
	c.modules[name] = u
	u.foresee()
	c.inUnit(u, func() {
		for _, s := range f.Stmts {
			c.statement(s)
		}
	})
	return u
}

// A parsed is a library file as the parser read it. The texts are part of the
// program and trees are never changed, so one serves all models.
type parsed struct {
	file  *ast.File
	diags diag.List
}

var libraryFiles sync.Map // name to parsed

func libraryFile(name string) (parsed, bool) {
	if p, ok := libraryFiles.Load(name); ok {
		return p.(parsed), true
	}
	text, ok := stdlib.Source(name)
	if !ok {
		return parsed{}, false
	}
	f, diags := parser.Parse(source.New("stdlib/"+name+".sg", text))
	p, _ := libraryFiles.LoadOrStore(name, parsed{f, diags})
	return p.(parsed), true
}

func libraryNames() []string { return stdlib.Names() }

// distNames lists the distributions of the library and of the file.
func (c *checker) distNames() []string {
	names := append([]string{"mixture", "point_mass"}, stdlib.Names()...)
	for n := range c.in.dists {
		names = append(names, n)
	}
	return names
}

// findDist finds a distribution: the file's before the library's.
func (c *checker) findDist(name string) *DistDef {
	if s := c.in.dists[name]; s != nil {
		return s.Dist
	}
	for _, u := range c.in.uses {
		if s := u.dists[name]; s != nil {
			return s.Dist
		}
	}
	if u := c.module(name); u != nil {
		if s := u.dists[name]; s != nil {
			return s.Dist
		}
	}
	return nil
}

// findFn returns the function or layer of a call by its name: first from the file, then from the
// modules in use, then from the library.
func (c *checker) findFn(name string) *Symbol {
	if s := c.in.fns[name]; s != nil {
		return s
	}
	for _, u := range c.in.uses {
		if s := u.fns[name]; s != nil {
			return s
		}
	}
	if c.in.name == "functions" {
		return nil
	}
	if u := c.module("functions"); u != nil {
		return u.fns[name]
	}
	return nil
}

// moduleWith finds the library module that a layer or function is in.
func moduleWith(name string) string {
	for _, m := range stdlib.Names() {
		text, _ := stdlib.Source(m)
		if strings.Contains(text, "\nlayer "+name+"(") || strings.Contains(text, "\nfn "+name+"(") {
			return m
		}
	}
	return ""
}
