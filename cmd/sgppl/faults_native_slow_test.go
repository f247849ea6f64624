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
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// TestFaultsNative: likewise where the process that dies, or whose disk fails, is that of a sampler
// which was built. The built program is the same except for its file system.
func TestFaultsNative(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	texts := map[string][]byte{}
	for _, name := range []string{"faults.go", "tree.go"} {
		text, err := os.ReadFile(filepath.Join("../../internal/faults", name))
		if err != nil {
			t.Fatal(err)
		}
		texts["faults/"+name] = text
	}
	// By the clock of the process a checkpoint is due whenever it looks.
	b := newFaultBench(t, "sample a.sg --data d.json --sampler sgld --step 0.01 --batch N=3 "+
		"--chains 1 --warmup 1 --draws 12 --thin 1 --chunk 6", "--engine", "native", "--checkpoint",
		"0.000001")
	b.prefix = true
	t.Setenv("SGPPL_CACHE", filepath.Join(b.base, "cache"))
	calls := filepath.Join(b.base, "calls")
	engine := func(s native.Source) native.Source {
		s.Files = maps.Clone(s.Files)
		maps.Copy(s.Files, texts)
		s.Main = func(path string) string {
			return fmt.Sprintf(faultMain, path, path+"/faults", calls)
		}
		return s
	}
	sample := func(root string, mode faults.Mode, n int) (int, string) {
		if err := os.MkdirAll(root, 0o777); err != nil {
			t.Fatal(err)
		}
		t.Setenv("SGPPL_TEST_FAULTS", faults.Text(root, mode, n, 7))
		return inFaultyEnv(again, &session.Session{Engine: engine, Interrupts: quiet},
			b.command(root)...)
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
	if _, err := fmt.Sscan(string(n), &b.calls); err != nil || b.calls < 200 {
		t.Fatalf("%q calls, %v", n, err)
	}
	stride, first := strideOf(t, b.calls)
	tried, text := 0, ""
	for _, mode := range faultModes {
		before := tried
		for n := 1; n <= b.calls; n++ {
			if !chosen(stride, first, mode, n) {
				continue
			}
			root := b.root()
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("native, %s at call %d", mode, n)
			code, msg := sample(root, mode, n)
			if code != session.ExitDone && code != session.ExitFiles {
				t.Errorf("%s: status %d\n%s", at, code, msg)
			}
			b.goOn(t, at, filepath.Join(root, "r"), code == session.ExitDone,
				func(args ...string) (int, string) {
					if n%2 > 0 && slices.Contains(args, "--resume") {
						// every other run goes on by the other engine
						args = append(args, "--engine", "vm")
					}
					return inFaultyEnv(again,
						&session.Session{Disk: unsynced{disk.OS}, Interrupts: quiet}, args...)
				})
			tried++
		}
		text += fmt.Sprintf(", %s %d", mode, tried-before)
	}
	t.Logf("a new run has %d calls; faults tried: %d%s", b.calls, tried, text)
}

// quiet are no interrupts.
func quiet(func()) func() { return func() {} }

// faultMain is the main function of a sampler on a file system with faults.
const faultMain = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/run"

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
