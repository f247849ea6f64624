package run

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// checkpointVersion is the version of the payload of a checkpoint: the number of draws and the
// number of warm-up states before it (uint64, little endian), then the state of the chain. A run
// with moments or held-out rows has version checkpointExtras: the payload has, after the two
// numbers, the moments and the held-out averages, each preceded by its length in bytes.
const (
	checkpointVersion = 1
	checkpointExtras  = 2
)

// waiting are the checkpoints of chains that have ended while others go on. They are written with
// the next checkpoint of another chain, or when the last chain has ended: what makes files durable
// takes about as long for all chains as for one, and a short run spends most of its time on it.
//
// Nothing is promised less. A process that dies meanwhile resumes such a chain from its checkpoint
// before, which is no older than the time between checkpoints, as of a chain that goes on; its
// draws are the same bits when they are drawn again.
type waiting struct {
	lock    sync.Mutex
	ended   []int // chains that have ended
	pending []pending
}

// A pending checkpoint is that of a chain, with the function that writes the state, of size bytes.
type pending struct {
	chain, size int
	state       func(w io.Writer) error
}

// end notes that a chain has ended.
func (w *waiting) end(chain int) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.ended = append(w.ended, chain)
}

// Checkpoint implements sampler.Sink.
func (s *sink) Checkpoint(chain int, state []byte) error {
	return s.commit(pending{chain, len(state), func(w io.Writer) error {
		_, err := w.Write(state)
		return err
	}})
}

// CheckpointOf implements sampler.StateSink. The checkpoint of a chain that has ended may be
// written later.
func (s *sink) CheckpointOf(chain, size int, state func(w io.Writer) error) error {
	p := pending{chain, size, state}
	if s.record.CheckpointEvery > 0 && s.waits.take(p, s.chains, s.once) {
		return nil
	}
	return s.commit(p)
}

// take keeps the checkpoint of a chain that has ended while others of the chains go on, and with
// last also that of the last chain.
func (w *waiting) take(p pending, chains []*chainSink, last bool) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if !slices.Contains(w.ended, p.chain) {
		return false
	}
	if last {
		w.pending = append(w.pending, p)
		return true
	}
	for k, c := range chains {
		if c != nil && !slices.Contains(w.ended, k) {
			w.pending = append(w.pending, p)
			return true
		}
	}
	return false
}

// give returns the checkpoints that wait, and waits for them no more.
func (w *waiting) give() []pending {
	w.lock.Lock()
	defer w.lock.Unlock()
	all := w.pending
	w.pending = nil
	return all
}

// commit writes checkpoints with those that wait. These wait again where that fails, as it may be
// for another chain.
func (s *sink) commit(now ...pending) error {
	waited := s.waits.give()
	err := s.write(append(slices.Clip(waited), now...))
	if err != nil {
		s.waits.lock.Lock()
		s.waits.pending = append(waited, s.waits.pending...)
		s.waits.lock.Unlock()
	}
	return err
}

// commitEach writes the checkpoints that wait each for itself: some of the chains may have failed.
func (s *sink) commitEach() (err error) {
	for _, p := range s.waits.give() {
		if e := s.write([]pending{p}); err == nil {
			err = e
		}
	}
	return err
}

// write makes the draws durable before it writes the checkpoints that count them, and then writes
// the moments and the held-out averages.
func (s *sink) write(all []pending) error {
	if len(all) == 0 {
		return nil
	}
	var appenders []*trace.Appender
	for _, p := range all {
		c := s.chains[p.chain]
		if appenders = append(appenders, c.draws); c.warmup != nil {
			appenders = append(appenders, c.warmup)
		}
	}
	if err := trace.SyncAll(appenders...); err != nil {
		return disk(err)
	}
	points := make([]trace.Checkpoint, len(all))
	for i, p := range all {
		points[i] = s.checkpointOf(p)
	}
	if err := trace.WriteCheckpoints(s.on, points...); err != nil {
		return disk(err)
	}
	for _, p := range all {
		c := s.chains[p.chain]
		if c.moments != nil { // readers see the moments as of the checkpoint
			if err := c.moments.write(s.stores[0], p.chain); err != nil {
				return disk(err)
			}
		}
		if c.running != nil {
			if err := s.writeHeldOut(p.chain); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkpointOf returns the checkpoint of a chain whose draws are on the disk.
func (s *sink) checkpointOf(p pending) trace.Checkpoint {
	c := s.chains[p.chain]
	warm := 0
	if c.warmup != nil {
		warm = c.warmup.Len()
	}
	le := binary.LittleEndian
	b := le.AppendUint64(c.state[:0], uint64(c.draws.Len()))
	b = le.AppendUint64(b, uint64(warm))
	version, moments := uint32(checkpointVersion), 0
	head := len(b)
	if c.moments != nil || c.running != nil {
		version = checkpointExtras
		if c.moments != nil {
			moments = c.moments.sketch.Size()
		}
		b = le.AppendUint64(b, uint64(moments))
		head = len(b)
		b = section(b, func(b []byte) []byte {
			if c.running == nil {
				return b
			}
			return c.running.AppendBinary(b)
		})
	}
	c.state = b
	return trace.Checkpoint{Path: trace.CheckpointPath(s.dir, p.chain), Version: version,
		Size: len(b) + moments + p.size, Write: func(w io.Writer) error {
			if _, err := w.Write(b[:head]); err != nil {
				return err
			}
			if moments > 0 {
				if _, err := c.moments.sketch.WriteTo(w); err != nil {
					return err
				}
			}
			if _, err := w.Write(b[head:]); err != nil {
				return err
			}
			return p.state(w)
		}}
}

// section appends the output of add to b, preceded by its length in bytes (uint64, little endian).
func section(b []byte, add func(b []byte) []byte) []byte {
	at := len(b)
	b = add(binary.LittleEndian.AppendUint64(b, 0))
	binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	return b
}

// A checkpoint is the content of a checkpoint file. The zero value is the start of a chain.
type checkpoint struct {
	draws, warmup    int
	moments, running []byte
	state            []byte
}

// readCheckpoint reads the checkpoint of a chain. It returns the zero value if there is no file.
func readCheckpoint(on files.FS, dir string, chain int) (checkpoint, error) {
	file := trace.CheckpointPath(dir, chain)
	version, b, err := trace.ReadCheckpoint(on, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkpoint{}, nil
	case err != nil:
		return checkpoint{}, disk(err)
	case version != checkpointVersion && version != checkpointExtras || len(b) < 16:
		return checkpoint{}, fail(exitFiles, "%s is a checkpoint of another version of sgppl", file)
	}
	p := checkpoint{draws: int(binary.LittleEndian.Uint64(b)),
		warmup: int(binary.LittleEndian.Uint64(b[8:])), state: b[16:]}
	if version == checkpointVersion {
		return p, nil
	}
	for _, to := range []*[]byte{&p.moments, &p.running} {
		if len(p.state) < 8 || binary.LittleEndian.Uint64(p.state) > uint64(len(p.state)-8) {
			return checkpoint{}, fail(exitFiles, "%s is damaged", file)
		}
		n := 8 + int(binary.LittleEndian.Uint64(p.state))
		*to, p.state = p.state[8:n], p.state[n:]
	}
	return p, nil
}
