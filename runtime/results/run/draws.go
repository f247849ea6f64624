package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/sgppl/sgppl/runtime/results/trace"
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

// OpenStore opens a store of a run to read it. It refuses one without digests
// where the run has them.
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

// owns refuses a store that holds the draws of another run. One that an older
// version wrote does not say which run it is of.
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

// drawsOf is a digest of what the draws of a run depend on. Runs that give the same
// draws have the same one, on every engine and with any number of threads.
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

// damaged gives an error of a store that is read its exit status.
func damaged(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	return because(exitFiles, err)
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
