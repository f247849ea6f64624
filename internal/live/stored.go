package live

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const (
	// readNumbers bounds how many numbers of a store are in memory at a time.
	readNumbers = 1 << 20
	// mostRead bounds the numbers of an array that are read for its traces.
	mostRead = 1 << 27
)

// A store is the draws of a run, as far as they are stored.
type store struct {
	*trace.Store
	written []int // draws of each chain
}

// openStore opens the draws of a run that has some; nil where it has none yet.
func openStore(dir string, r *run.Record) (*store, error) {
	if _, err := os.Stat(run.Draws(dir)); err != nil {
		return nil, nil
	}
	st, err := run.OpenDraws(dir, r)
	if err != nil {
		return nil, err
	}
	s := &store{Store: st}
	for k := range st.Chains() {
		n, err := st.Kept(k) // the axis may be cut to what all chains have
		if err != nil {
			return nil, err
		}
		s.written = append(s.written, n)
	}
	return s, nil
}

// outputs are the arrays of the draws.
func (s *store) outputs() []target.Output {
	var out []target.Output
	for _, v := range session.StoredDraws(s.Store) {
		out = append(out, target.Output{Name: v.Name, Shape: v.Shape, Len: v.Len()})
	}
	return out
}

// thinned reads draws of a chain of the numbers, evenly spread. Arrays that are too large to be
// read for this are NaN, and named.
func (s *store) thinned(chain int, numbers []run.Number) (*sketch.Thinned, []string, error) {
	n := s.written[chain]
	out := sketch.NewThinned(run.WatchedDraws, len(numbers))
	if n == 0 {
		return out, nil, nil
	}
	stride := int64(1)
	for int64(n) > stride*run.WatchedDraws {
		stride *= 2
	}
	out.Coarsen(stride)
	kept := (n + int(stride) - 1) / int(stride)
	rows := make([]float64, kept*len(numbers))
	var large []string
	for first := 0; first < len(numbers); {
		end := first
		for end < len(numbers) && numbers[end].Array == numbers[first].Array {
			end++
		}
		v, ok := s.Lookup("posterior", numbers[first].Array)
		if !ok {
			return nil, nil, fmt.Errorf("%s has no %s", s.Dir(), numbers[first].Array)
		}
		if n*v.Len() > mostRead {
			large = append(large, v.Name)
			for i := range kept {
				for k := first; k < end; k++ {
					rows[i*len(numbers)+k] = math.NaN()
				}
			}
		} else if err := s.pick(v, chain, int(stride), numbers[first:end],
			rows[first:], len(numbers)); err != nil {
			return nil, nil, err
		}
		first = end
	}
	for i := range kept {
		out.Add(int64(i)*stride, rows[i*len(numbers):(i+1)*len(numbers)])
	}
	return out, large, nil
}

// pick reads elements of every so many draws of a chain into dst, width numbers from one draw to
// the next.
func (s *store) pick(
	v trace.Variable, chain, every int, numbers []run.Number, dst []float64, width int,
) error {
	n := s.written[chain]
	block := max(readNumbers/max(v.Len(), 1), 1)
	buf := make([]float64, min(block, n)*v.Len())
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		if err := s.ReadDraws(v, chain, from, to, buf[:(to-from)*v.Len()]); err != nil {
			return err
		}
		for d := (from + every - 1) / every * every; d < to; d += every {
			for k := range numbers {
				dst[d/every*width+k] = buf[(d-from)*v.Len()+numbers[k].Element]
			}
		}
	}
	return nil
}

// Stored takes what a run that goes on has stored: draws, and the scores of held-out rows. Runs
// that store their last draws alone, or some of them, do not say the numbers of these, and
// nothing is taken.
func (r *Recorder) Stored(dir string, rec *run.Record) error {
	r.heldOut(dir)
	if rec.Optimize != nil || rec.KeepLast > 0 || rec.Reservoir > 0 {
		return nil
	}
	s, err := openStore(dir, rec)
	if s == nil || err != nil {
		return err
	}
	return r.take(s)
}

// take takes the draws of a store.
func (r *Recorder) take(s *store) error {
	var large []string
	for k := range min(len(r.chains), len(s.written)) {
		var err error
		var draws *sketch.Thinned
		if draws, large, err = s.thinned(k, r.numbers); err != nil {
			return err
		}
		r.lock.Lock()
		r.chains[k].draws = draws
		r.lock.Unlock()
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, name := range large {
		r.notes = append(r.notes, name+" has too many numbers to be read for its traces")
	}
	return nil
}

// heldOut takes the scores of held-out rows that are stored.
func (r *Recorder) heldOut(dir string) {
	b, err := os.ReadFile(run.HeldOutSeries(dir))
	if err != nil {
		return
	}
	var s run.Series
	if json.Unmarshal(b, &s) != nil {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	for k := range min(len(r.chains), len(s.Chains)) {
		c := &s.Chains[k]
		r.chains[k].held = curve{}
		for i := range min(len(c.Draws), len(c.LPDMean)) {
			r.chains[k].held.add(c.Draws[i]+1, float64(c.LPDMean[i]))
		}
	}
}
