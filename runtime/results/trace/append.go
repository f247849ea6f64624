package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// chunkKey returns the key of a chunk: its chain, its number along the axis draw, then a zero for
// each further axis.
func (s *Store) chunkKey(v Variable, chain, k int) string {
	return v.Group + "/" + v.Name + "/" + strconv.Itoa(chain) + "." + strconv.Itoa(k) +
		strings.Repeat(".0", len(v.Shape))
}

func (s *Store) chunkPath(v Variable, chain, k int) string {
	return s.path(s.chunkKey(v, chain, k))
}

// An Appender writes the draws of one chain, one after another. It holds the last, incomplete chunk
// of every array in memory.
type Appender struct {
	store   *Store
	chain   int
	n       int // draws taken
	counted int // number of draws in the journal .chain-K
	durable int // draws at the last Sync, which must stay durable
	total   int // all draws of the chain, if only the last are kept; 0: all are kept
	cols    []column
	pieces  []piece
}

// A column is the chunk of one array that the Appender fills.
type column struct {
	v      Variable
	stride int // bytes of a draw
	chunk  int // draws of a chunk
	buf    []byte
	saved  int // draws on disk
}

// Appender returns an Appender for a chain that continues at draw start: 0 for a new chain, or the
// number that a checkpoint recorded. It removes the draws from start on, so that the store does not
// depend on interruptions.
func (s *Store) Appender(chain, start int) (*Appender, error) {
	return s.appender(chain, start, 0)
}

// LastAppender returns an Appender for a store that keeps only the last draws of a chain, as many
// as the store is long. total is the number of draws of the whole chain. Each draw overwrites the
// oldest. The draws are in order after the last one; before, the order is rotated. Draws that a
// stopped chain wrote after start remain until the same draws are written again. A draw is stored
// once the chunks of all arrays are, so all arrays should have chunks of the same length.
func (s *Store) LastAppender(chain, start, total int) (*Appender, error) {
	if total < s.draws || start > total {
		return nil, fmt.Errorf("%s cannot keep the last %d of %d draws from draw %d on", s.dir,
			s.draws, total, start)
	}
	return s.appender(chain, start, total)
}

// place returns the position in the store of draw n of the chain. The first total mod Draws draws
// come before the rounds of Draws draws, of which the last ends with the last draw.
func (a *Appender) place(n int) int {
	if first := a.first(); n >= first && a.total > 0 {
		return (n - first) % max(a.store.draws, 1)
	}
	return n
}

// held returns the number of positions that are filled after n draws.
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
	written, err := s.counted(chain)
	if err != nil {
		return nil, err
	}
	a := &Appender{store: s, chain: chain, n: start, total: total}
	if start < 0 || a.held(start) > written {
		return nil, fmt.Errorf("%s: chain %d holds %d draws and cannot go on from draw %d", s.dir,
			chain, written, start)
	}
	a.counted, a.durable = a.held(start), start
	for _, v := range s.vars {
		if v.Static {
			continue
		}
		c := column{v: v, stride: v.Len() * v.DType.size(), saved: start}
		c.chunk = s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta).Chunks[1]
		c.buf = make([]byte, c.chunk*c.stride)
		c.v.DType.blank(c.buf)
		a.cols = append(a.cols, c)
	}
	return a, a.rewind(start)
}

// rewind sets the chain back to draw start. It loads the chunks that contain start and removes
// later ones. In a store that keeps the last draws, later draws remain until they are written
// again.
func (a *Appender) rewind(start int) error {
	s, j := a.store, a.store.chain(a.chain)
	if start == 0 && j.fresh {
		return nil
	}
	late := map[string]bool{}
	kept := map[string]digest{}
	for i := range a.cols {
		c := &a.cols[i]
		if c.stride == 0 || s.draws == 0 {
			continue
		}
		next, rest := a.place(start)/c.chunk, a.place(start)%c.chunk
		key := s.chunkKey(c.v, a.chain, next)
		switch {
		case a.total > 0: // behind the draws of this round are some of the one before
			d, err := a.loadSince(c, key, c.chunk)
			if err == nil {
				kept[key] = d
			} else if rest > 0 && a.round(start) == a.total-s.draws { // draws that stay
				return err
			}
		case rest > 0:
			d, err := a.loadSince(c, key, rest)
			if err != nil {
				return err
			}
			kept[key] = d
			next++
		}
		for ; a.total == 0 && next*c.chunk < s.draws; next++ {
			late[s.chunkKey(c.v, a.chain, next)] = true
		}
	}
	// First the number, then the draws: a reader never counts removed ones.
	if err := j.rewind(a.counted, kept, late); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(late)) {
		if err := s.fs.Remove(s.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for i := range a.cols {
		if a.total == 0 {
			if err := s.blankChunks(a.cols[i].v, a.chain, start, s.draws); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadSince reads the first draws draws of a chunk into a column. The content of the chunk must be
// the one it had when the journal counted the draws that the Appender starts from, or a later one.
func (a *Appender) loadSince(c *column, key string, draws int) (digest, error) {
	path := a.store.path(key)
	b, err := disk.ReadFile(a.store.fs, path)
	if err != nil {
		return digest{}, err
	}
	if len(b) != len(c.buf) {
		return digest{}, fmt.Errorf("%s: %w: %d bytes instead of %d", path, ErrCorrupt, len(b),
			len(c.buf))
	}
	d := digestOf(b)
	if !a.store.chain(a.chain).fitsCount(key, d, a.counted) {
		return digest{}, fmt.Errorf("%s: %w: it was changed or damaged since it was written", path,
			ErrCorrupt)
	}
	copy(c.buf, b[:draws*c.stride])
	return d, nil
}

// load reads the chunk that contains draw n into a column, so that earlier draws in it are kept.
func (a *Appender) load(c *column, n int) error {
	c.v.DType.blank(c.buf)
	if c.stride == 0 || a.store.draws == 0 {
		return nil
	}
	b, err := a.store.readFile(a.store.chain(a.chain),
		a.store.chunkKey(c.v, a.chain, a.place(n)/c.chunk), len(c.buf))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrCorrupt) {
		// the chunk has only draws that new ones will overwrite
		return nil
	}
	copy(c.buf, b)
	return err
}

// Len returns the number of draws so far, including the draws before start.
func (a *Appender) Len() int { return a.n }

// Put sets the values (row-major) of variable i of the next draw. i counts the variables of the
// store that are not static. Values that are not set before Next are missing.
func (a *Appender) Put(i int, values []float64) {
	c := &a.cols[i]
	if len(values) != c.v.Len() {
		panic(fmt.Sprintf("trace: %d values for %s, which has %d", len(values), c.v.Name,
			c.v.Len()))
	}
	at := a.place(a.n) % c.chunk * c.stride
	c.v.DType.encode(c.buf[at:at+c.stride], values)
}

// PutScalar is Put for a variable with one value per draw.
func (a *Appender) PutScalar(i int, value float64) {
	one := [1]float64{value}
	a.Put(i, one[:])
}

// Next completes a draw and writes the chunks that are full.
func (a *Appender) Next() error {
	if end := max(a.store.draws, a.total); a.n >= end || a.store.draws == 0 {
		return fmt.Errorf("%s: chain %d has its %d draws already", a.store.dir, a.chain, end)
	}
	at := a.place(a.n)
	a.n++
	next, whole := a.place(a.n), a.n
	full := func(c *column) bool { // or the next draw begins a round
		return at/c.chunk != next/c.chunk || next <= at
	}
	for i := range a.cols {
		if c := &a.cols[i]; full(c) {
			a.take(c, at/c.chunk)
			c.saved = a.n
		}
		whole = min(whole, a.cols[i].saved)
	}
	if err := a.write(max(a.counted, a.held(whole))); err != nil {
		return err
	}
	for i := range a.cols {
		c := &a.cols[i]
		if !full(c) {
			continue
		}
		if a.total == 0 {
			c.v.DType.blank(c.buf)
		} else if at/c.chunk != next/c.chunk {
			if err := a.load(c, a.n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Append is Put of every variable, in order, and Next.
func (a *Appender) Append(values [][]float64) error {
	if len(values) != len(a.cols) {
		panic(fmt.Sprintf("trace: a draw of %d variables for a store of %d", len(values),
			len(a.cols)))
	}
	for i, x := range values {
		a.Put(i, x)
	}
	return a.Next()
}

// take adds a chunk to the pieces to write. The piece is synced if it replaces draws that the last
// Sync made durable. Draws of earlier rounds are not protected, since a complete chain does not
// have them.
func (a *Appender) take(c *column, k int) {
	if c.stride > 0 {
		key := a.store.chunkKey(c.v, a.chain, k)
		a.pieces = append(a.pieces,
			piece{path: key, data: c.buf, sync: k*c.chunk < a.durable-a.round(a.n-1)})
	}
}

// round returns the first draw of the round that contains draw n, in a store that keeps the last
// draws; else 0.
func (a *Appender) round(n int) int {
	first := a.first()
	if a.total == 0 || n < first {
		return 0
	}
	return n - (n-first)%max(a.store.draws, 1)
}

// write writes the pieces that were taken, and to the journal that the chain has n draws.
func (a *Appender) write(n int) error {
	if len(a.pieces) == 0 && n == a.counted {
		return nil
	}
	err := a.store.chain(a.chain).write(a.store, n, a.pieces...)
	if a.pieces = a.pieces[:0]; err == nil {
		a.counted = n
	}
	return err
}

// Flush writes the incomplete chunks too. Every draw so far is then in the store and survives the
// end of the process.
func (a *Appender) Flush() error {
	for i := range a.cols {
		c := &a.cols[i]
		if c.saved == a.n {
			continue
		}
		a.take(c, a.place(a.n-1)/c.chunk)
		c.saved = a.n
	}
	return a.write(max(a.counted, a.held(a.n)))
}

// Close is Flush; the Appender takes no draws after it.
func (a *Appender) Close() error { return a.Flush() }

// WriteChain writes the values of one sampled variable for all draws of a chain, row-major
// [draw][element]. It is for groups that are computed after the run, such as log_likelihood. It
// does not change the number of draws that Written returns.
func (s *Store) WriteChain(group, name string, chain int, values []float64) error {
	v, ok := s.Lookup(group, name)
	if !ok || v.Static || chain < 0 || chain >= s.chains || len(values) != s.draws*v.Len() {
		return fmt.Errorf("%s has no %s/%s of %d values in chain %d", s.dir, group, name,
			len(values), chain)
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
		n, err := s.Written(chain)
		if err == nil {
			err = s.chain(chain).write(s, n,
				piece{path: s.chunkKey(v, chain, d/k), data: b, lazy: true})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
