package checks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// kept are the rows that a fold is fitted to.
func (v *validation) kept(k int) []int {
	var out []int
	for i, f := range v.fold {
		if f != k {
			out = append(out, i)
		}
	}
	return out
}

// settings are those of a fold.
func (v *validation) settings(k, rows int) sampler.Config {
	cfg := v.record.Settings
	cfg.Seed, cfg.Begun, cfg.LogDensity = v.folds[k].seed, 0, false
	if cfg.Batch > 0 {
		cfg.Batch = min(cfg.Batch, rows)
	}
	return cfg
}

// named says what a fold is, so that no other is taken for it.
func (v *validation) named(k int, seed uint64) string {
	what := fmt.Sprintf("fold %d of %d, seed %d", k, len(v.folds), seed)
	if v.by != "" {
		what += ", by " + v.by
	}
	return what + ", of run " + v.record.ID
}

// prepare makes the directory of a fold, or opens it; done says that it is complete.
func (v *validation) prepare(
	e *session.Session, b *session.Binding, k int, seed uint64,
) (done bool, err error) {
	f := &v.folds[k]
	if r, err := run.Read(f.dir); err == nil {
		if r.Fold != v.named(k, seed) {
			return false, session.Usagef("%s is of another cross-validation (%s); --out DIR "+
				"names another place", f.dir, r.Fold)
		}
		if !r.Resumable() && r.Status == run.Failed {
			return false, session.Failf(session.ExitRun, "%s failed: %s", f.dir, r.Error)
		}
		f.record = r
		return r.Status == run.Done, nil
	} else if _, is := os.Lstat(f.dir); is == nil {
		return false, session.OwnStatus(err)
	}
	cfg, err := v.settings(k, b.Target.Rows()).Resolve(b.Target)
	if err != nil {
		return false, session.Refused(err)
	}
	r := b.Record(cfg)
	r.Fold, r.Threads, r.CheckpointEvery = v.named(k, seed), 0, v.record.CheckpointEvery
	if err := os.MkdirAll(v.dir, 0o777); err != nil {
		return false, session.Failf(session.ExitFiles, "%v", err)
	}
	if err := run.PrepareOn(disk.Or(e.Disk), f.dir, r, v.whole.Src.Text, false,
		e.Now()); err != nil {
		return false, session.OwnStatus(err)
	}
	f.record = r
	return false, nil
}

// sample runs the folds that are not complete, several at once where threads are more than
// chains.
func (v *validation) sample(e *session.Session, c *Folds) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupted := false
	stop := e.Interrupts(func() {
		if interrupted {
			e.Quit(session.ExitInterrupted)
		}
		interrupted = true
		cancel()
	})
	defer stop()
	threads := session.ThreadsOf(c.Threads, len(v.folds)*v.record.Settings.Chains)
	at := max(1, min(len(v.folds), threads/v.record.Settings.Chains))
	errs := make([]error, len(v.folds))
	var lock sync.Mutex // of the session's output, and of builds
	var wg sync.WaitGroup
	for w := range at {
		wg.Go(func() {
			for k := w; k < len(v.folds) && ctx.Err() == nil; k += at {
				if errs[k] = v.one(ctx, e, c, k, max(1, threads/at), &lock); errs[k] != nil {
					cancel()
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	if interrupted {
		return session.Failf(session.ExitInterrupted, "interrupted; the same command goes on")
	}
	return nil
}

// one runs a fold.
func (v *validation) one(
	ctx context.Context, e *session.Session, c *Folds, k, threads int, lock *sync.Mutex,
) error {
	f := &v.folds[k]
	b, err := v.whole.RowsAlone(v.kept(k))
	if err != nil {
		return err
	}
	lock.Lock()
	done, err := v.prepare(e, b, k, c.Seed)
	var eng *session.Engine
	if err == nil && !done {
		eng, err = session.PickEngine(e, b, c.Engine, true)
	}
	lock.Unlock()
	if err != nil || done {
		return err
	}
	w := run.Work{Dir: f.dir, ID: f.record.ID, Version: sgppl.Version, Threads: threads,
		Disk: e.Disk}
	if err := eng.Run(ctx, w, func(run.Event) {}); err != nil {
		if ctx.Err() != nil {
			return context.Canceled
		}
		return session.OwnStatus(fmt.Errorf("fold %d: %w", k, err))
	}
	if f.record, err = run.Read(f.dir); err != nil {
		return session.OwnStatus(err)
	}
	lock.Lock()
	defer lock.Unlock()
	e.Note("fold %d of %d: %d rows left out, %s", k+1, len(v.folds), len(f.left),
		session.Duration(f.record.Seconds))
	return nil
}
