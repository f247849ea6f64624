//go:build slow

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/faults"
	"github.com/sgppl/sgppl/internal/native"
)

// TestFaultsNative: likewise where the process that dies, or whose disk fails, is
// that of a sampler which was built. The built program is the same but for its
// file system.
func TestFaultsNative(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("../../internal/faults/faults.go")
	if err != nil {
		t.Fatal(err)
	}
	b := newFaultBench(t, 0)
	t.Setenv("SGPPL_CACHE", filepath.Join(b.base, "cache"))
	at := slices.Index(b.args, "vm")
	b.args[at] = "native"
	calls := filepath.Join(b.base, "calls")
	engine := func(s native.Source) native.Source {
		s.Files = maps.Clone(s.Files)
		s.Files["faults/faults.go"] = text
		s.Main = func(path string) string { return fmt.Sprintf(faultMain, path, path+"/faults", calls) }
		return s
	}
	sample := func(root string, mode faults.Mode, n int) (int, string) {
		if err := os.MkdirAll(root, 0o777); err != nil {
			t.Fatal(err)
		}
		t.Setenv("SGPPL_TEST_FAULTS", faults.Text(root, mode, n, 7))
		return faultyEngine(nil, engine, b.command(root)...)
	}
	root := filepath.Join(b.base, "whole")
	if code, msg := sample(root, faults.None, 0); code != 0 {
		t.Fatalf("status %d\n%s", code, msg)
	}
	b.want = contents(t, filepath.Join(root, "r"))
	n, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(n), &b.calls); err != nil || b.calls < 100 {
		t.Fatalf("%q calls, %v", n, err)
	}
	stride, first := strideOf(t, b.calls)
	tried := 0
	for _, mode := range []faults.Mode{faults.Once, faults.Full, faults.Kill, faults.Lose, faults.Reorder} {
		for n := 1 + (first+int(mode)*stride/6)%stride; n <= b.calls; n += stride {
			root := filepath.Join(b.base, "try")
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("native, %s at call %d", mode, n)
			code, msg := sample(root, mode, n)
			if code != exitDone && code != exitFiles {
				t.Errorf("%s: status %d\n%s", at, code, msg)
			}
			b.after(t, at, filepath.Join(root, "r"), code == exitDone, true)
			tried++
		}
	}
	t.Logf("%d calls, %d faults tried", b.calls, tried)
}

// faultMain is the main function of a sampler on a file system with faults.
const faultMain = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/sgppl/sgppl/runtime/host"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/run"

	compiled %q
	%q
)

func main() {
	host.Main(compiled.Compiled, func(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error {
		on, err := faults.Parse(os.Getenv("SGPPL_TEST_FAULTS"))
		if err != nil {
			return err
		}
		on.Exit = func() { os.Exit(5) }
		err = run.ChildOn(ctx, on, m, work, events)
		os.WriteFile(%q, []byte(fmt.Sprint(on.Calls())), 0o666)
		return err
	})
}
`
