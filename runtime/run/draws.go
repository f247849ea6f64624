package run

import (
	"errors"

	"github.com/sgppl/sgppl/runtime/trace"
)

// OpenDraws opens the store of a run's draws to read it, and holds it against
// the record. An error of a file that is damaged names it.
func OpenDraws(dir string, r *Record) (*trace.Store, error) {
	path := Draws(dir)
	s, err := OpenStore(path, r)
	if err != nil {
		return nil, err
	}
	if n := r.Outline().Chains; s.Chains() != n {
		return nil, fail(exitFiles, "%s has %d chains, and run.json says %d: one of them is damaged", path, s.Chains(), n)
	}
	if r.Status != Done {
		return s, nil
	}
	for k := range r.Chains {
		n, err := s.Written(k)
		if err != nil {
			return nil, damaged(err)
		}
		if want := r.stored(r.Chains[k].Draws); int64(n) != want {
			return nil, fail(exitFiles, "%s: chain %d has %d draws, and run.json says %d: one of them is damaged", path, k, n, want)
		}
	}
	return s, nil
}

// OpenStore opens a store of a run to read it. It refuses one without digests
// where the run has them.
func OpenStore(path string, r *Record) (*trace.Store, error) {
	s, err := trace.Open(path)
	if err != nil {
		return nil, damaged(err)
	}
	if r.Digests != "" && !s.Checked() {
		return nil, fail(exitFiles, "%s/.digests is gone: whether the draws are as they were written cannot be checked", path)
	}
	return s, nil
}

// damaged gives an error of a store that is read its exit status.
func damaged(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	return &Error{exitFiles, err.Error(), err}
}

// stored is how many of a chain's draws are in the store.
func (r *Record) stored(draws int64) int64 {
	switch {
	case r.Optimize != nil:
		return draws
	case r.KeepLast > 0:
		return min(r.KeepLast, draws)
	case r.Reservoir > 0:
		return min(r.Reservoir, draws)
	}
	return draws
}
