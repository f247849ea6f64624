package modeltest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The plans of gradients as they are to be: what is hoisted, fused and
// contracted shows in them. testdata/plans.txtar has NAME.sg and NAME.plan, and of
// models whose locals are drawn NAME.locals, the plan of their chains, alone.
func TestPlans(t *testing.T) {
	path := filepath.Join("testdata", "plans.txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".sg")
		if !ok {
			continue
		}
		c, diags := driver.Compile(source.New(f.Name, string(f.Data)), driver.Options{})
		if c == nil {
			t.Fatalf("%s: %s", f.Name, diags[0].Message)
		}
		program, to := c.Program(fn.Gradient.ID()), name+".plan"
		if chains := c.Program(fn.Locals.ID()); chains != nil {
			program, to = chains, name+".locals"
		}
		got := steps(program.String())
		out = append(out, f, txtar.File{Name: to, Data: []byte(got)})
		if !*update && got != want[to] {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want[to])
		}
	}
	if len(out) == 0 {
		t.Fatal("no case")
	}
	if *update {
		archive.Files = out
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// steps is a plan's text without its buffers.
func steps(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "buffer ") {
			b.WriteString(line)
		}
	}
	return b.String()
}
