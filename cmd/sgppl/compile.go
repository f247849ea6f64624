package main

import (
	"bytes"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/gopackage"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

type compileCmd struct {
	Model     string         `arg:"" help:"The model file, or - for standard input."`
	Out       string         `short:"o" placeholder:"DIR" help:"Where the package goes: by default a directory of the package's name beside the model."`
	Package   string         `placeholder:"NAME" help:"The package's name: by default the model's."`
	Precision string         `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64 or f32."`
	Batch     string         `placeholder:"AXIS" help:"The axis whose rows are drawn, where the model has several: see sgppl check."`
	Set       session.SetMap `placeholder:"NAME=VALUE" mapsep:"none" help:"Specialise to this value of a const, or of a dim with a default. May be repeated."`
	Dump      string         `placeholder:"PHASE" help:"Print the program after a phase instead: ast, lower, grad, opt, opt:PASS, stage or plan."`
}

func (c *compileCmd) Help() string {
	return `Writes a Go package that holds the model, its gradient and a sampler, and imports nothing but sgppl's runtime. Files
are replaced only when they were written by sgppl, and only when their text changes. From Go code:

  //go:generate sgppl compile logistic.sg

makes the package logistic in a directory below the one that the line stands in.

  sgppl compile logistic.sg -o internal/churn --package churn
  sgppl compile logistic.sg --dump plan        what the compiler makes of it`
}

// Run compiles a model to a package.
func (c *compileCmd) Run(e *session.Session) error {
	start := e.Now()
	if c.Package != "" && (!token.IsIdentifier(c.Package) || c.Package == "_" ||
		c.Package == "main" || c.Package != strings.ToLower(c.Package)) {
		return session.Usagef("--package %s: a name of a Go package is wanted, in lower case and "+
			"not a keyword or main", c.Package)
	}
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	if err := c.Set.Sizes(src); err != nil {
		return err
	}
	o := driver.Options{Set: c.Set, RowDim: c.Batch, Sampled: c.Batch != ""}
	if c.Dump != "" {
		return session.Dump(e, src, o, c.Dump)
	}
	compiled, err := e.Compile(src, o)
	if err != nil {
		return err
	}
	if err := session.InPrecision(compiled, c.Precision); err != nil {
		return err
	}
	if err := c.known(compiled); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		compiled.Spec.Set = append(compiled.Spec.Set, fmt.Sprintf("%s=%v", name, c.Set[name]))
	}
	files, err := compiled.Emit(c.Package)
	if err != nil {
		return err
	}
	name := gopackage.Name(files)
	if err := gopackage.AddExamples(compiled, c.Package, files); err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		dir = filepath.Join(filepath.Dir(c.Model), name)
	}
	p := gopackage.Dir{Path: dir, Name: name, Files: files}
	if err := p.Write(); err != nil {
		return err
	}
	lines := 0
	for _, text := range files {
		lines += bytes.Count(text, []byte{'\n'})
	}
	printable.Fprintf(e.Stdout, "%s: package %s, %d files, %d lines", filepath.ToSlash(dir), name,
		len(files), lines)
	if p.Changed == 0 {
		fmt.Fprint(e.Stdout, ", as they were")
	}
	fmt.Fprintf(e.Stdout, "; %d ms\n", e.Now().Sub(start).Round(time.Millisecond).Milliseconds())
	return nil
}

// known refuses names of --set and --batch that the model does not have.
func (c *compileCmd) known(compiled *driver.Compiled) error {
	if err := c.Set.Known(compiled.Check); err != nil {
		return err
	}
	if c.Batch == "" {
		return nil
	}
	return session.Batchable(compiled, c.Batch, true)
}
