package pass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// ChainsOf runs the chains of the run that was prepared, a task each, and puts the run
// together in the directory dir, which is a run directory then, and in the bucket.
// A run that the bucket has already is left as it is.
func ChainsOf(ctx context.Context, e *Env, front Front, c Chains, n int, dir string) error {
	if _, err := e.Bucket.Stat(ctx, recordFile); !missing(err) {
		return errors.Join(err, e.tidy(ctx))
	}
	var results []ChainResult
	err := e.Pass(ctx, front, 1, "chain", n, c, func(_ int, result []byte) error {
		var r ChainResult
		err := json.Unmarshal(result, &r)
		results = append(results, r)
		return err
	})
	if err != nil {
		return err
	}
	if err := e.prepared(ctx, c.Prepared, dir); err != nil {
		return err
	}
	chains := make([]run.Chain, n)
	for k := range chains {
		if chains[k], err = e.gather(ctx, front, results[k], dir); err != nil {
			return err
		}
	}
	if err := run.Gathered(dir, chains); err != nil {
		return err
	}
	_, b, err := e.reopen(dir, c.Cache)
	if err != nil {
		return err
	}
	engine := "vm"
	if path, err := e.programOfRun(ctx, b.Compiled); err != nil {
		return err
	} else if path != "" {
		engine = "native"
	}
	if _, err := run.Continue(ctx, b.Target, run.Work{Dir: dir, Version: sgppl.Version,
		Engine: engine}, time.Now, nil); err != nil {
		return permanentByStatus(err)
	}
	if err := e.Bucket.PutDirectory(ctx, dir, recordFile); err != nil {
		return err
	}
	return e.tidy(ctx)
}

// gather writes the files of a chain that is complete into the run directory. Where some are
// gone, because two attempts got in each other's way, the task is done again, once.
func (e *Env) gather(
	ctx context.Context, front Front, want ChainResult, dir string,
) (run.Chain, error) {
	t := Task{"pass/001-chain", want.Chain}
	for again := false; ; again = true {
		p, err := e.point(ctx, endFile(want.Chain))
		if err != nil {
			return run.Chain{}, err
		}
		whole := p != nil
		if whole {
			files := slices.DeleteFunc(slices.Clone(p.Files), func(l Leaf) bool {
				return !slices.Contains(p.Own, l.Name) &&
					(want.Chain > 0 || !strings.Contains(l.Name, ".zarr/"))
			})
			if whole, err = e.fetchTree(ctx, filesAt(want.Chain), files, dir); err != nil {
				return run.Chain{}, err
			}
		}
		if whole {
			sum, err := drawsSum(dir, p.Own)
			if err != nil || sum == want.Sum {
				return p.State, err
			}
		}
		if again {
			return run.Chain{}, fmt.Errorf("%s: the files of chain %d are gone or damaged",
				e.Bucket.URL, want.Chain)
		}
		for _, name := range []string{endFile(want.Chain), t.done()} {
			if err := e.Bucket.Delete(ctx, name); err != nil {
				return run.Chain{}, err
			}
		}
		if err := e.settle(ctx, front, t.Dir, want.Chain+1); err != nil {
			return run.Chain{}, err
		}
	}
}

// recordFile is that of an ordinary run.
const recordFile = "run.json"

// tidy removes the checkpoints of chains that are part of a run.
func (e *Env) tidy(ctx context.Context) error {
	list, err := e.Bucket.List(ctx, "chain/")
	if err != nil {
		return err
	}
	for _, o := range list {
		if strings.Contains(o.Name, "/files/") {
			if err := e.Bucket.Delete(ctx, o.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
