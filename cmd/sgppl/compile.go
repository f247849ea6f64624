package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	goparser "go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
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
		return dump(e, src, o, c.Dump)
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
	name := packageName(files)
	if err := addExamples(compiled, c.Package, files); err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		dir = filepath.Join(filepath.Dir(c.Model), name)
	}
	p := packageDir{dir: dir, name: name, files: files}
	if err := p.write(); err != nil {
		return err
	}
	lines := 0
	for _, text := range files {
		lines += bytes.Count(text, []byte{'\n'})
	}
	printable.Fprintf(e.Stdout, "%s: package %s, %d files, %d lines", filepath.ToSlash(dir), name,
		len(files), lines)
	if p.changed == 0 {
		fmt.Fprint(e.Stdout, ", as they were")
	}
	fmt.Fprintf(e.Stdout, "; %d ms\n", e.Now().Sub(start).Round(time.Millisecond).Milliseconds())
	return nil
}

// addExamples adds the examples of a package to its files. Their data are sampled here first:
// examples whose data are not to be had, or cannot be sampled, are compiled by the tests of
// the package, and not run.
func addExamples(c *driver.Compiled, pkg string, files codegen.Files) error {
	in := codegen.Input{Spec: c.Spec, Programs: c.Programs, Package: pkg}
	x, ok := codegen.ExampleOf(in)
	if !ok || c.Spec.Chain != nil || !samples(c, x) {
		x = nil
	}
	more, err := codegen.Examples(in, x)
	if err != nil {
		return err
	}
	maps.Copy(files, more)
	return nil
}

// exampleDim is the most coordinates of a model whose example is run.
const exampleDim = 50

// samples reports whether a model can be sampled with example data, as Sample of a generated
// package does.
func samples(c *driver.Compiled, x *codegen.Example) bool {
	bound, _, errs := data.Validate(&c.Spec.Schema, x.Values, x.Dims, data.Options{})
	if len(errs) > 0 {
		return false
	}
	m, err := c.VM(bound, nil)
	if err != nil || m.Dim() == 0 || m.Dim() > exampleDim {
		return false
	}
	s := sampler.DefaultConfig()
	s.Chains, s.Warmup, s.Draws, s.Seed = 2, 200, 50, 7
	_, err = sampler.Collect(context.Background(), m, s, sampler.RunOptions{})
	return err == nil
}

// known refuses names of --set and --batch that the model does not have.
func (c *compileCmd) known(compiled *driver.Compiled) error {
	if err := c.Set.Known(compiled.Check); err != nil {
		return err
	}
	if c.Batch == "" {
		return nil
	}
	return batchable(compiled, c.Batch, true)
}

// packageName reads a generated package's name off its files.
func packageName(files codegen.Files) string {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if f, err := goparser.ParseFile(token.NewFileSet(), name, files[name],
			goparser.PackageClauseOnly); err == nil {
			return f.Name.Name
		}
	}
	return ""
}

// A packageDir is a generated package on its way to its directory.
type packageDir struct {
	dir, name string
	files     codegen.Files
	changed   int // files that were written or removed
}

// generated is how every file that sgppl writes begins.
const generated = "// Code generated by sgppl "

// write makes the directory hold the package. Nothing is touched before it is
// known that no file of somebody else's is in the way.
func (p *packageDir) write() error {
	old, err := p.inspect()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return session.Failf(session.ExitFiles, "cannot make the directory: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		wrote, err := session.ReplaceFile(filepath.Join(p.dir, name), p.files[name], 0o644)
		if err != nil {
			return session.Failf(session.ExitFiles, "cannot write %s: %v",
				filepath.Join(p.dir, name), err)
		}
		if wrote {
			p.changed++
		}
	}
	for _, name := range old {
		if p.files[name] == nil {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
				return session.Failf(session.ExitFiles,
					"cannot remove %s, which an earlier compilation left: %v",
					filepath.Join(p.dir, name), err)
			}
			p.changed++
		}
	}
	return nil
}

// inspect looks at what the directory holds and returns the generated files.
func (p *packageDir) inspect() (ours []string, err error) {
	entries, err := os.ReadDir(p.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, session.Failf(session.ExitFiles, "cannot write to %s: %v", p.dir, err)
	}
	for _, entry := range entries {
		path := filepath.Join(p.dir, entry.Name())
		if filepath.Ext(path) != ".go" {
			continue
		}
		head, err := readHead(path)
		if err != nil {
			return nil, session.Failf(session.ExitFiles, "cannot read %s: %v", path, err)
		}
		if bytes.HasPrefix(head, []byte(generated)) {
			ours = append(ours, entry.Name())
			continue
		}
		if p.files[entry.Name()] != nil {
			return nil, session.Failf(session.ExitFiles,
				"%s was not written by sgppl and would be overwritten: choose another directory with -o", path)
		}
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.PackageClauseOnly)
		if err == nil && f.Name.Name != p.name {
			return nil, session.Usagef("%s holds the Go package %s: choose another directory "+
				"with -o, or --package %s", p.dir, f.Name.Name, f.Name.Name)
		}
	}
	return ours, nil
}

// readHead is the beginning of a file.
func readHead(path string) ([]byte, error) {
	f, err := disk.OpenInput(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, len(generated))
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], err
}
