package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/sgppl/sgppl/runtime/results/trace"
)

// OpenDraws opens the store of a run's draws for reading and checks its numbers of chains and draws
// against the record. An error about a damaged file names the file.
func OpenDraws(dir string, r *Record) (*trace.Store, error) {
	path := Draws(dir)
	s, err := OpenStore(path, r)
	if err != nil {
		return nil, err
	}
	if n := r.Outline().Chains; s.Chains() != n {
		return nil, fail(exitFiles,
			"%s has %d chains, and run.json says %d: one of them is damaged", path, s.Chains(), n)
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
			return nil, fail(exitFiles,
				"%s: chain %d has %d draws, and run.json says %d: one of them is damaged", path, k, n, want)
		}
	}
	return s, nil
}

// OpenStore opens a store of a run for reading. It refuses a store without digests if the record
// says that the run has them.
func OpenStore(path string, r *Record) (*trace.Store, error) {
	s, err := trace.Open(path)
	if err != nil {
		return nil, damaged(err)
	}
	if r.Digests != "" && !s.Checked() {
		return nil, fail(exitFiles,
			"%s/.digests is gone: whether the draws are as they were written cannot be checked", path)
	}
	if err := r.owns(path, s); err != nil {
		return nil, err
	}
	return s, nil
}

// owns returns an error if a store holds the draws of another run. It accepts a store that does not
// name its run, as older versions wrote.
func (r *Record) owns(path string, s *trace.Store) error {
	if of, has := s.Attrs()[runAttr]; has && of != r.drawsOf() {
		return fail(exitFiles,
			"%s holds the draws of another run: the model, the data, the seed or the settings "+
				"that it names are not those of run.json", path)
	}
	return nil
}

// runAttr is the attribute of a store that says which run its draws are of.
const runAttr = "sgppl_run"

// drawsOf returns a digest of everything that the draws of a run depend on: model, data, seed and
// settings. It depends neither on the engine nor on the number of threads.
func (r *Record) drawsOf() string {
	settings := r.Settings
	settings.FirstRows = 0  // set when the run begins
	if settings.Begun > 0 { // draws were added to those of the store
		settings.Draws, settings.Begun = settings.Begun, 0
	}
	if r.Anchored() && settings.TargetESS > 0 {
		settings.Draws = 0 // set as the run goes on
	}
	of := struct {
		Model       string
		Data        []string
		Dims        map[string]int
		Seed        uint64
		Settings    any
		Optimize    any
		Approximate any `json:",omitempty"`
	}{r.ModelHash, nil, r.Dims, r.Seed, settings, r.Optimize, nil}
	if r.Approximate != nil {
		of.Approximate = r.Approximate
	}
	for _, d := range r.Data {
		of.Data = append(of.Data, d.SHA256) // files may have other names
	}
	b, err := json.Marshal(of)
	if err != nil {
		panic(err) // run.json holds the same values
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// damaged gives an error of reading a store the exit status of damaged files, unless the error has
// a status already.
func damaged(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	return because(exitFiles, err)
}

// stored returns how many of a chain's first draws draws the store keeps.
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
