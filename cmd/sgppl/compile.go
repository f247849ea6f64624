package main

import (
	"bytes"
	"errors"
	"fmt"
	goparser "go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

type compileCmd struct {
	Model     string `arg:"" help:"The model file, or - for standard input."`
	Out       string `short:"o" placeholder:"DIR" help:"Where the package goes: by default a directory of the package's name beside the model."`
	Package   string `placeholder:"NAME" help:"The package's name: by default the model's."`
	Precision string `default:"f64" placeholder:"f64" help:"Of data, activations and gradients: f64, or f32 in a later version."`
	Batch     string `placeholder:"AXIS" help:"The axis whose rows are drawn, where the model has several: see sgppl check."`
	Set       setMap `placeholder:"NAME=VALUE" mapsep:"none" help:"Specialise to this value of a const, or of a dim with a default. May be repeated."`
	Dump      string `placeholder:"PHASE" help:"Print the program after a phase instead: ast, lower, grad, opt, opt:PASS, stage or plan."`
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
func (c *compileCmd) Run(e *env) error {
	start := e.now()
	if c.Precision != "f64" {
		if c.Precision == "f32" {
			return usage("this version computes in f64 only")
		}
		return usage("--precision %s: f64 or f32", c.Precision)
	}
	if c.Package != "" && (!token.IsIdentifier(c.Package) || c.Package == "_" || c.Package == "main" || c.Package != strings.ToLower(c.Package)) {
		return usage("--package %s: a name of a Go package is wanted, in lower case and not a keyword or main", c.Package)
	}
	src, err := e.readModel(c.Model)
	if err != nil {
		return err
	}
	o := driver.Options{Set: c.Set, RowDim: c.Batch}
	if c.Dump != "" {
		return c.dump(e, src, o)
	}
	compiled, err := e.compile(src, o)
	if err != nil {
		return err
	}
	if err := c.known(compiled); err != nil {
		return err
	}
	files, err := codegen.Generate(codegen.Input{Spec: compiled.Spec, Programs: compiled.Programs, Package: c.Package})
	if err != nil {
		return err
	}
	name := packageName(files)
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
	fmt.Fprintf(e.stdout, "%s: package %s, %d files, %d lines", filepath.ToSlash(dir), name, len(files), lines)
	if p.changed == 0 {
		fmt.Fprint(e.stdout, ", as they were")
	}
	fmt.Fprintf(e.stdout, "; %d ms\n", e.now().Sub(start).Round(time.Millisecond).Milliseconds())
	return nil
}

// known refuses names of --set and --batch that the model does not have.
func (c *compileCmd) known(compiled *driver.Compiled) error {
	if err := c.Set.known(compiled.Check); err != nil {
		return err
	}
	if c.Batch == "" {
		return nil
	}
	var axes []string
	for _, a := range compiled.Check.Batchable {
		if a.Name == c.Batch {
			return nil
		}
		axes = append(axes, a.Name)
	}
	return refuseAxis(compiled, c.Batch, axes)
}

// refuseAxis says why an axis cannot be minibatched.
func refuseAxis(compiled *driver.Compiled, axis string, axes []string) error {
	for _, u := range compiled.Check.Unbatchable {
		if u.Axis == axis {
			return usage("--batch %s: rows of %s cannot be drawn, %s:%v: %s", axis, axis, compiled.Source.Name, compiled.Source.Position(u.Span.Start), u.Reason)
		}
	}
	if len(axes) == 0 {
		return usage("--batch %s: this model has no axis whose rows can be drawn", axis)
	}
	return usage("--batch %s: rows can be drawn of %s", axis, strings.Join(axes, ", "))
}

// dump prints what a phase leaves, function by function, as far as the
// compiler comes: a model with errors still shows its earlier phases.
func (c *compileCmd) dump(e *env, src *source.File, o driver.Options) error {
	var seen []string
	found := false
	var out bytes.Buffer
	o.Dump = func(phase, function, text string) {
		if !slices.Contains(seen, phase) {
			seen = append(seen, phase)
		}
		if phase != c.Dump && !strings.HasPrefix(phase, c.Dump+":") {
			return
		}
		found = true
		if function != "" {
			fmt.Fprintf(&out, "# %s, %s\n", phase, function)
		}
		out.WriteString(strings.TrimRight(text, "\n") + "\n")
		if function != "" {
			out.WriteByte('\n')
		}
	}
	compiled, diags := driver.Compile(src, o)
	e.diagnose(diags)
	if compiled != nil && !found {
		hint := "."
		if near := diag.Nearest(c.Dump, seen); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return usage("--dump %s: there is no such phase%s The phases are %s", c.Dump, hint, strings.Join(seen, " "))
	}
	if _, err := e.stdout.Write(out.Bytes()); err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	if compiled == nil {
		return &exitError{code: exitModel}
	}
	return nil
}

// packageName reads a generated package's name off its files.
func packageName(files codegen.Files) string {
	for _, name := range sortedKeys(files) {
		if f, err := goparser.ParseFile(token.NewFileSet(), name, files[name], goparser.PackageClauseOnly); err == nil {
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
		return fail(exitFiles, "cannot make the directory: %v", err)
	}
	for _, name := range sortedKeys(p.files) {
		wrote, err := replaceFile(filepath.Join(p.dir, name), p.files[name], 0o644)
		if err != nil {
			return fail(exitFiles, "cannot write %s: %v", filepath.Join(p.dir, name), err)
		}
		if wrote {
			p.changed++
		}
	}
	for _, name := range old {
		if p.files[name] == nil {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
				return fail(exitFiles, "cannot remove %s, which an earlier compilation left: %v", filepath.Join(p.dir, name), err)
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
		return nil, fail(exitFiles, "cannot write to %s: %v", p.dir, err)
	}
	for _, entry := range entries {
		path := filepath.Join(p.dir, entry.Name())
		if filepath.Ext(path) != ".go" {
			continue
		}
		head, err := readHead(path)
		if err != nil {
			return nil, fail(exitFiles, "cannot read %s: %v", path, err)
		}
		if bytes.HasPrefix(head, []byte(generated)) {
			ours = append(ours, entry.Name())
			continue
		}
		if p.files[entry.Name()] != nil {
			return nil, fail(exitFiles, "%s was not written by sgppl and would be overwritten: choose another directory with -o", path)
		}
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.PackageClauseOnly)
		if err == nil && f.Name.Name != p.name {
			return nil, usage("%s holds the Go package %s: choose another directory with -o, or --package %s", p.dir, f.Name.Name, f.Name.Name)
		}
	}
	return ours, nil
}

// readHead is the beginning of a file.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
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
