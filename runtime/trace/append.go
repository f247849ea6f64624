package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/disk"
)

// chunkPath is the file of a chunk: chain, number along the draws, then zeros.
func (s *Store) chunkPath(v Variable, chain, k int) string {
	name := strconv.Itoa(chain) + "." + strconv.Itoa(k) + strings.Repeat(".0", len(v.Shape))
	return filepath.Join(s.dir, v.Group, v.Name, name)
}

// An Appender writes the draws of one chain, one after another. It holds the
// last, unfinished chunk of every array in memory.
type Appender struct {
	store   *Store
	chain   int
	n       int // draws taken
	counted int // what the file .chain-K says
	total   int // draws that will come, of which the last ones are kept; 0: all are
	cols    []column
	dirty   []string // files written since the last Sync
	synced  bool     // the store's metadata, by this Appender
}

// A column is the growing end of one array.
type column struct {
	v      Variable
	stride int // bytes of a draw
	chunk  int // draws of a chunk
	buf    []byte
	saved  int // draws on disk
}

// Appender writes the draws of a chain from number start on: 0 for a new
// chain, or what a checkpoint recorded. What the chain wrote after start is
// removed, so a run comes out the same however often it was interrupted.
func (s *Store) Appender(chain, start int) (*Appender, error) {
	return s.appender(chain, start, 0)
}

// LastAppender writes the draws of a chain of which total will come and the
// store keeps as many as it is long, the last ones. Each takes the place of the
// oldest, and after the last one they stand in their order; before that they
// begin anywhere. What a chain that is stopped wrote after start stays until the
// same draws are written again. A draw is in the store once the chunks of all
// arrays are: their lengths should be the same.
func (s *Store) LastAppender(chain, start, total int) (*Appender, error) {
	if total < s.draws || start > total {
		return nil, fmt.Errorf("%s cannot keep the last %d of %d draws from draw %d on", s.dir, s.draws, total, start)
	}
	return s.appender(chain, start, total)
}

// place is the position in the store of draw n of all. The first total mod
// Draws draws come before the rounds that end with the last draw.
func (a *Appender) place(n int) int {
	if first := a.first(); n >= first && a.total > 0 {
		return (n - first) % max(a.store.draws, 1)
	}
	return n
}

// held is how many positions are filled once n draws have been taken.
func (a *Appender) held(n int) int {
	if first := a.first(); n >= first && a.total > 0 {
		return max(first, min(n-first, a.store.draws))
	}
	return n
}

func (a *Appender) first() int {
	if a.total == 0 || a.store.draws == 0 {
		return 0
	}
	return a.total % a.store.draws
}

func (s *Store) appender(chain, start, total int) (*Appender, error) {
	if chain < 0 || chain >= s.chains {
		return nil, fmt.Errorf("%s has no chain %d", s.dir, chain)
	}
	written, err := s.Written(chain)
	if err != nil {
		return nil, err
	}
	a := &Appender{store: s, chain: chain, n: start, total: total}
	if start < 0 || a.held(start) > written {
		return nil, fmt.Errorf("%s: chain %d holds %d draws and cannot go on from draw %d", s.dir, chain, written, start)
	}
	a.counted = a.held(start)
	// First the number, then the draws: a reader never counts removed ones.
	if err := s.setWritten(chain, a.counted); err != nil {
		return nil, err
	}
	for _, v := range s.vars {
		if v.Static {
			continue
		}
		c := column{v: v, stride: v.Len() * v.DType.size(), saved: start}
		c.chunk = s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta).Chunks[1]
		c.buf = make([]byte, c.chunk*c.stride)
		if total > 0 {
			err = a.load(&c, start)
		} else {
			err = a.rewind(&c, start)
		}
		if err != nil {
			return nil, err
		}
		a.cols = append(a.cols, c)
	}
	return a, nil
}

// rewind loads the chunk that start falls into and clears all after start.
func (a *Appender) rewind(c *column, start int) error {
	c.v.DType.blank(c.buf)
	if c.stride == 0 {
		return nil
	}
	k := start / c.chunk
	if rest := start % c.chunk; rest > 0 {
		path := a.store.chunkPath(c.v, a.chain, k)
		b, err := disk.ReadFile(a.store.fs, path)
		if err != nil {
			return err
		}
		if len(b) != len(c.buf) {
			return fmt.Errorf("%s: %w: %d bytes instead of %d", path, ErrCorrupt, len(b), len(c.buf))
		}
		copy(c.buf, b[:rest*c.stride])
	}
	// Later chunks go; the chunk of start itself is replaced by the next write.
	if start%c.chunk > 0 {
		k++
	}
	for ; k*c.chunk < a.store.draws; k++ {
		err := a.store.fs.Remove(a.store.chunkPath(c.v, a.chain, k))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return a.store.blankChunks(c.v, start, a.store.draws)
}

// load reads the chunk that draw n falls into, where draws before it stay.
func (a *Appender) load(c *column, n int) error {
	c.v.DType.blank(c.buf)
	if c.stride == 0 || a.store.draws == 0 {
		return nil
	}
	path := a.store.chunkPath(c.v, a.chain, a.place(n)/c.chunk)
	b, err := disk.ReadFile(a.store.fs, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(b) != len(c.buf):
		return fmt.Errorf("%s: %w: %d bytes instead of %d", path, ErrCorrupt, len(b), len(c.buf))
	}
	copy(c.buf, b)
	return nil
}

// Len is the number of draws taken so far, start included.
func (a *Appender) Len() int { return a.n }

// Put sets the values, row-major, of variable i of the next draw, where i
// counts the store's variables that are not static. What is not put before
// Next stays missing.
func (a *Appender) Put(i int, values []float64) {
	c := &a.cols[i]
	if len(values) != c.v.Len() {
		panic(fmt.Sprintf("trace: %d values for %s, which has %d", len(values), c.v.Name, c.v.Len()))
	}
	at := a.place(a.n) % c.chunk * c.stride
	c.v.DType.encode(c.buf[at:at+c.stride], values)
}

// PutScalar is Put for a variable that is a number.
func (a *Appender) PutScalar(i int, value float64) {
	one := [1]float64{value}
	a.Put(i, one[:])
}

// Next completes a draw; chunks that are full are written.
func (a *Appender) Next() error {
	if end := max(a.store.draws, a.total); a.n >= end || a.store.draws == 0 {
		return fmt.Errorf("%s: chain %d has its %d draws already", a.store.dir, a.chain, end)
	}
	at := a.place(a.n)
	a.n++
	whole := a.n
	for i := range a.cols {
		c := &a.cols[i]
		next := a.place(a.n)
		if at/c.chunk != next/c.chunk || next <= at { // the chunk is full, or the next draw begins a round
			if err := a.write(c, at/c.chunk); err != nil {
				return err
			}
			c.saved = a.n
			if a.total == 0 {
				c.v.DType.blank(c.buf)
			} else if at/c.chunk != next/c.chunk {
				if err := a.load(c, a.n); err != nil {
					return err
				}
			}
		}
		whole = min(whole, c.saved)
	}
	return a.count(max(a.counted, a.held(whole)))
}

// Append is Put of every variable, in order, and Next.
func (a *Appender) Append(values [][]float64) error {
	if len(values) != len(a.cols) {
		panic(fmt.Sprintf("trace: a draw of %d variables for a store of %d", len(values), len(a.cols)))
	}
	for i, x := range values {
		a.Put(i, x)
	}
	return a.Next()
}

func (a *Appender) write(c *column, k int) error {
	if c.stride == 0 {
		return nil
	}
	path := a.store.chunkPath(c.v, a.chain, k)
	if err := disk.Replace(a.store.fs, path, c.buf, false); err != nil {
		return err
	}
	a.dirty = append(a.dirty, path)
	return nil
}

func (a *Appender) count(n int) error {
	if n == a.counted {
		return nil
	}
	a.counted = n
	return a.store.setWritten(a.chain, n)
}

// Flush writes the unfinished chunks too: every draw taken is then in the
// store, and survives the process.
func (a *Appender) Flush() error {
	for i := range a.cols {
		c := &a.cols[i]
		if c.saved == a.n {
			continue
		}
		if err := a.write(c, a.place(a.n-1)/c.chunk); err != nil {
			return err
		}
		c.saved = a.n
	}
	return a.count(max(a.counted, a.held(a.n)))
}

// Sync is Flush, and then waits until the disk has it all: every draw taken
// survives the machine. It belongs before the write of a checkpoint.
func (a *Appender) Sync() error {
	if err := a.Flush(); err != nil {
		return err
	}
	if !a.synced {
		if err := disk.SyncFile(a.store.fs, a.store.path(consolidated)); err != nil {
			return err
		}
		a.synced = true
	}
	slices.Sort(a.dirty)
	for _, path := range slices.Compact(a.dirty) {
		if err := disk.SyncFile(a.store.fs, path); err != nil {
			return err
		}
	}
	a.dirty = a.dirty[:0]
	return disk.SyncFile(a.store.fs, a.store.writtenPath(a.chain))
}

// Close is Flush; the Appender takes no draws after it.
func (a *Appender) Close() error { return a.Flush() }

// WriteChain writes one sampled variable for all draws of a chain, row-major
// [draw][element]: for groups that are computed after the run, such as
// log_likelihood. It changes nothing of what counts as written.
func (s *Store) WriteChain(group, name string, chain int, values []float64) error {
	v, ok := s.Lookup(group, name)
	if !ok || v.Static || chain < 0 || chain >= s.chains || len(values) != s.draws*v.Len() {
		return fmt.Errorf("%s has no %s/%s of %d values in chain %d", s.dir, group, name, len(values), chain)
	}
	k := s.meta[group+"/"+name+"/.zarray"].(arrayMeta).Chunks[1]
	n, size := v.Len(), v.DType.size()
	if n == 0 {
		return nil
	}
	b := make([]byte, k*n*size)
	for d := 0; d < s.draws; d += k {
		part := values[d*n : min(d+k, s.draws)*n]
		v.DType.blank(b)
		v.DType.encode(b, part)
		if err := disk.Replace(s.fs, s.chunkPath(v, chain, d/k), b, false); err != nil {
			return err
		}
	}
	return nil
}
