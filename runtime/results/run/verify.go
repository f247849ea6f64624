package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Stores are the paths of the stores that a run has.
func Stores(dir string, r *Record) []string {
	list := []string{Draws(dir)}
	if r.Settings.SaveWarmup {
		list = append(list, filepath.Join(dir, warmupName))
	}
	if r.Optimize != nil {
		list = append(list, filepath.Join(dir, pointsName))
		if r.Optimize.Iterates > 0 {
			list = append(list, filepath.Join(dir, iteratesName))
		}
		if path, ok := Checks(dir, r); ok {
			list = append(list, path)
		}
	}
	return list
}

// VerifyFiles checks the model, the names and the series of held-out rows of a run. It does not
// check stores, checkpoints or the index of rows. It returns how many files it read.
func VerifyFiles(dir string, r *Record) (read int, problems []error) {
	check := func(err error) {
		read++
		if err != nil {
			problems = append(problems, err)
		}
	}
	_, err := ReadModel(dir, r)
	check(err)
	if r.Files[labelsName] != "" {
		_, err := Labels(dir, r)
		check(err)
	}
	if r.Files[setupName] != "" {
		var err error
		if r.Tuning != nil {
			_, err = readSetup(files.OS, dir, r)
		}
		check(err)
	}
	if r.HeldOut == nil || r.Optimize != nil {
		return read, problems
	}
	path := HeldOutSeries(dir)
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.Status == Running: // it is about to be written
		return read, problems
	case err == nil:
		if err = unseal(b, r.Digests != ""); err != nil {
			err = fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	check(err)
	return read, problems
}

// VerifyCheckpoints checks the checkpoints of a run: their digests, that the
// store has the draws that they count, and, given the target, that the chains can
// go on from them. It returns how many there are.
func VerifyCheckpoints(
	dir string, r *Record, t target.Target, draws *trace.Store,
) (read int, problems []error) {
	var of resumer
	if t != nil {
		var err error
		if of, err = resumerOf(dir, r, t); err != nil {
			return 0, []error{err}
		}
	}
	var gone []error
	for k := range r.Chains {
		path := trace.CheckpointPath(dir, k)
		p, err := readCheckpoint(files.OS, dir, k)
		if err == nil && p.state == nil {
			switch {
			case r.Status == Interrupted && !r.Planning():
				problems = append(problems,
					fmt.Errorf("%s is gone: the chain would start over", path))
			case r.Status == Done:
				gone = append(gone, fmt.Errorf("%s is gone: the chain could not go on", path))
			}
			continue
		}
		if read++; err == nil && draws != nil && r.Optimize == nil && r.KeepLast == 0 &&
			r.Reservoir == 0 {
			var n int
			if n, err = draws.Kept(k); err == nil && n < p.draws {
				err = fmt.Errorf("%s counts %d draws, and %s has %d", path, p.draws, draws.Dir(), n)
			}
		}
		if err == nil && of != nil {
			if err = of(k, p.state); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	if read > 0 { // else they may have been removed to save space, once the run was done
		problems = append(problems, gone...)
	}
	return read, problems
}

// A resumer says why a chain cannot go on from a state; nil if it can.
type resumer func(chain int, state []byte) error

func resumerOf(dir string, r *Record, t target.Target) (resumer, error) {
	if r.Anchored() {
		setup, err := readSetup(files.OS, dir, r)
		if err != nil {
			return nil, err
		}
		c := *r
		pairs, err := adopt(t, &c, setup, false)
		if err != nil {
			return nil, fail(exitFiles, "%s: %v", setupName, err)
		}
		return pairs.Resume, nil
	}
	if r.Whitened() {
		setup, err := readSetup(files.OS, dir, r)
		if err != nil {
			return nil, err
		}
		return resumeWhitened(inCoordinates(t, r, setup)), nil
	}
	if r.Approximate != nil {
		return func(int, []byte) error { return nil }, nil
	}
	if r.Optimize == nil {
		return func(chain int, state []byte) error {
			_, err := sampler.ResumeChain(t, r.Settings, chain, state)
			return err
		}, nil
	}
	var held target.Target
	if m, ok := t.(*model.Model); ok && m.HeldOut != nil {
		held = m.HeldOut
	}
	return func(chain int, state []byte) error {
		_, err := optimize.ResumeChain(t, held, *r.Optimize, chain, state)
		return err
	}, nil
}
