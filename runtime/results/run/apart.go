package run

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// apart refuses to run only some chains, whose numbers are only, if the chains of the run depend on
// one another (see Together) or the run has no such chain. An empty only means all chains and is
// accepted.
func (r *Record) apart(only []int) error {
	if len(only) == 0 {
		return nil
	}
	if why := r.Together(); why != "" {
		return fail(exitUsage, "chains cannot run apart: %s", why)
	}
	for _, k := range only {
		if k < 0 || k >= len(r.Chains) {
			return fail(exitUsage, "there is no chain %d of %d", k, len(r.Chains))
		}
	}
	return nil
}

// Together says why the chains of a run cannot run in different processes; "" where they can.
func (r *Record) Together() string {
	switch {
	case r.Optimize != nil:
		return "it is a run of optimize"
	case r.Surrogate != nil:
		return "draws of a surrogate are weighted all together"
	case r.Approximate != nil:
		return "draws of an approximation are weighted all together"
	case r.Planning():
		return "how it is sampled has yet to be found"
	case r.Anchored():
		return setting.Text("chains of {sampler} auto on many rows go in pairs and rounds; " +
			"{sampler} names one whose chains are on their own, such as nuts or msgnht")
	case r.Whitened():
		return setting.Text("chains with {anchor} share a set-up")
	case r.HeldOut != nil:
		return setting.Text("{held-out} averages over the draws of all chains as they come")
	case r.Settings.Follow:
		return setting.Text("{follow} has all chains see the same growing file")
	}
	return ""
}

// ChainFiles lists the files of a run directory that one chain alone writes, as paths below
// the directory with slashes: its checkpoint, and its draws.
func ChainFiles(dir string, chain int) ([]string, error) {
	checkpoint := trace.CheckpointPath(dir, chain)
	if _, err := files.OS.Lstat(checkpoint); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, disk(err)
	}
	out := []string{filepath.Base(checkpoint)}
	for _, store := range []string{drawsName, warmupName} {
		st, err := trace.Open(filepath.Join(dir, store))
		if errors.Is(err, fs.ErrNotExist) && store == warmupName {
			continue
		}
		if err != nil {
			return nil, disk(err)
		}
		list, err := st.ChainFiles(chain)
		if err != nil {
			return nil, disk(err)
		}
		for _, name := range list {
			out = append(out, path.Join(store, name))
		}
	}
	slices.Sort(out)
	return out, nil
}

// Gathered writes into the record of a run how far its chains came in other processes. The files of
// these chains must already be in dir. The run has the status Interrupted afterwards, and Continue
// completes it without sampling.
func Gathered(dir string, chains []Chain) error {
	r, err := Read(dir)
	if err != nil {
		return err
	}
	if len(chains) != len(r.Chains) {
		return fail(exitUsage, "%s has %d chains, and not %d", dir, len(r.Chains), len(chains))
	}
	r.Chains, r.Status, r.Seconds = chains, Interrupted, 0
	for _, c := range chains {
		r.Seconds = max(r.Seconds, c.Seconds)
	}
	return r.write(files.OS, dir)
}
