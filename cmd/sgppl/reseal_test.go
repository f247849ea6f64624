package main

import (
	"strconv"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"

	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// mark gives a run of a script another status, as if it had ended so.
func mark(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mark RUN STATUS")
	}
	ts.Check(edit(ts.MkAbs(args[0]), `"status": "[a-z]*"`, fmt.Sprintf(`"status": %q`, args[1])))
}

// edit changes run.json, and its digest with it.
func edit(dir, pattern, text string) error {
	path := filepath.Join(dir, "run.json")
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b = regexp.MustCompile(pattern).ReplaceAllLiteral(b, []byte(text))
	digest := regexp.MustCompile(`"crc32c:[0-9a-f]{8}"\s*}\s*$`)
	at := digest.FindIndex(b)
	if at == nil {
		return fmt.Errorf("%s has no digest", path)
	}
	value := b[at[0]+len(`"crc32c:`):]
	copy(value, "00000000")
	copy(value, fmt.Sprintf("%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))))
	return os.WriteFile(path, b, 0o666)
}

func editRun(t *testing.T, dir, pattern, text string) {
	t.Helper()
	if err := edit(dir, pattern, text); err != nil {
		t.Fatal(err)
	}
}

// restore puts back the run that a script keeps as good.
func restore(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.RemoveAll(ts.MkAbs("run")))
	ts.Check(os.CopyFS(ts.MkAbs("run"), os.DirFS(ts.MkAbs("good"))))
}

// cutChain removes the draws of a chain of a run from a number on, as a run that
// was stopped then has them.
func cutChain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cutchain RUN CHAIN DRAWS")
	}
	chain, err := strconv.Atoi(args[1])
	ts.Check(err)
	draws, err := strconv.Atoi(args[2])
	ts.Check(err)
	store, err := trace.Open(filepath.Join(ts.MkAbs(args[0]), "draws.zarr"))
	ts.Check(err)
	a, err := store.Appender(chain, draws)
	ts.Check(err)
	ts.Check(a.Sync())
	if _, moments := store.Lookup(run.MomentsGroup, "count"); moments {
		ts.Check(store.WritePerChain(run.MomentsGroup, "count", chain, []float64{float64(draws)}))
	}
	ts.Check(store.Close())
}
