package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// An Array is a variable read into memory.
type Array struct {
	Variable
	Chains, Draws int       // both 1 if the variable is static; Draws is 1 if it is PerChain
	Data          []float64 // [chain][draw][element], elements row-major
}

// At is one draw, an alias of the array's memory.
func (a *Array) At(chain, draw int) []float64 {
	n := a.Len()
	i := (chain*a.Draws + draw) * n
	return a.Data[i : i+n : i+n]
}

// Series copies the draws of one element, by chain, into dst: the input of
// package diagnose. dst holds Chains slices of Draws numbers.
func (a *Array) Series(element int, dst [][]float64) {
	n := a.Len()
	for c := range dst {
		from := a.Data[c*a.Draws*n+element:]
		for d := range dst[c] {
			dst[c][d] = from[d*n]
		}
	}
}

// Read reads a whole variable: of a sampled one, the draws that every chain
// has.
func (s *Store) Read(group, name string) (*Array, error) {
	v, ok := s.Lookup(group, name)
	if !ok {
		return nil, fmt.Errorf("%s has no %s/%s", s.dir, group, name)
	}
	return s.read(v, 0, v.Len(), v.Shape)
}

// ReadElements reads the elements lo…hi-1, counted row-major, of a sampled
// variable, as an array of one axis: for variables that do not fit in memory.
func (s *Store) ReadElements(group, name string, lo, hi int) (*Array, error) {
	v, ok := s.Lookup(group, name)
	if !ok {
		return nil, fmt.Errorf("%s has no %s/%s", s.dir, group, name)
	}
	if lo < 0 || hi < lo || hi > v.Len() {
		return nil, fmt.Errorf("%s/%s has no elements %d to %d", group, name, lo, hi)
	}
	return s.read(v, lo, hi, []int{hi - lo})
}

func (s *Store) read(v Variable, lo, hi int, shape []int) (*Array, error) {
	a := &Array{Variable: v, Chains: 1, Draws: 1}
	a.Shape = shape
	if v.PerChain {
		a.Chains = s.Chains()
		a.Data = make([]float64, a.Chains*(hi-lo))
		for c := range a.Chains {
			if err := s.readPerChain(v, s.Number(c), lo, a.Data[c*(hi-lo):(c+1)*(hi-lo)]); err != nil {
				return nil, err
			}
		}
		return a, nil
	}
	if v.Static {
		a.Data = make([]float64, hi-lo)
		return a, s.readStatic(v, lo, a.Data)
	}
	draws, err := s.Common()
	if err != nil {
		return nil, err
	}
	a.Chains, a.Draws = s.Chains(), draws
	n := hi - lo
	a.Data = make([]float64, a.Chains*draws*n)
	for c := range a.Chains {
		if err := s.readDraws(v, s.Number(c), 0, draws, lo, hi,
			a.Data[c*draws*n:(c+1)*draws*n]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ReadDraws reads the draws from … to−1 of one chain into dst, which has length (to − from) ·
// v.Len(). Values that were not written read as NaN, or as 0 in integers.
func (s *Store) ReadDraws(v Variable, chain, from, to int, dst []float64) error {
	return s.readDraws(v, s.Number(chain), from, to, 0, v.Len(), dst)
}

func (s *Store) readDraws(v Variable, chain, from, to, lo, hi int, dst []float64) error {
	m := s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta)
	size, n, k := v.DType.size(), v.Len(), m.Chunks[1]
	var whole []byte
	var part = make([]byte, (hi-lo)*size)
	for d := from; d < to && hi > lo; {
		end := min((d/k+1)*k, to)
		f, err := s.open(s.chain(chain), s.chunkKey(v, chain, d/k), k*n*size)
		if errors.Is(err, fs.ErrNotExist) {
			v.DType.blank(part)
			for ; d < end; d++ {
				v.DType.decode(dst[(d-from)*(hi-lo):][:hi-lo], part)
			}
			continue
		}
		if err != nil {
			return err
		}
		all := atOnce(k*n*size, end-d) || 4*(hi-lo) >= n
		if all {
			if cap(whole) < k*n*size {
				whole = make([]byte, k*n*size)
			}
			whole = whole[:k*n*size]
			_, err = f.ReadAt(whole, 0)
		}
		for ; err == nil && d < end; d++ {
			at := (d%k*n + lo) * size
			b := part
			if all {
				b = whole[at:]
			} else {
				_, err = f.ReadAt(part, int64(at))
			}
			v.DType.decode(dst[(d-from)*(hi-lo):][:hi-lo], b)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// atOnce reports whether a file of draws is read whole for some of its elements. A call of the
// system for a draw's elements costs about as much as a page of memory.
func atOnce(bytes, draws int) bool { return bytes <= 4096*draws && bytes <= 4<<20 }

// Missing lists the files of v that hold draws below draws and are not there:
// they read as NaN, or 0 in integers. Runs write them all, and in a store with
// digests a file that was written and is not there is an error of every read.
func (s *Store) Missing(v Variable, draws int) []string {
	if v.Static || v.Len() == 0 || !s.plain {
		return nil
	}
	var files []string
	k := s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta).Chunks[1]
	for _, c := range s.Numbers() {
		for i := 0; i*k < draws; i++ {
			path := s.chunkPath(v, c, i)
			if _, err := s.fs.Lstat(path); errors.Is(err, fs.ErrNotExist) {
				files = append(files, path)
			}
		}
	}
	return files
}

func (s *Store) staticKey(v Variable) string {
	return v.Group + "/" + v.Name + "/0" + strings.Repeat(".0", max(len(v.Shape)-1, 0))
}

// WriteStatic writes a static variable's values, row-major.
func (s *Store) WriteStatic(group, name string, values []float64) error {
	v, ok := s.Lookup(group, name)
	if !ok || !v.Static || v.PerChain || len(values) != v.Len() {
		return fmt.Errorf("%s has no static %s/%s of %d values", s.dir, group, name, len(values))
	}
	if len(values) == 0 {
		return nil
	}
	b := make([]byte, len(values)*v.DType.size())
	v.DType.encode(b, values)
	return s.share(piece{path: s.staticKey(v), data: b})
}

// chainKey is the file of a chain's part of a PerChain variable.
func (s *Store) chainKey(v Variable, chain int) string {
	return v.Group + "/" + v.Name + "/" + strconv.Itoa(chain) + strings.Repeat(".0", len(v.Shape))
}

// WritePerChain replaces the values (row-major) of one chain of a PerChain variable. Several chains
// may be written concurrently.
func (s *Store) WritePerChain(group, name string, chain int, values []float64) error {
	v, ok := s.Lookup(group, name)
	if !ok || !v.PerChain || chain < 0 || chain >= s.chains || len(values) != v.Len() {
		return fmt.Errorf("%s has no %s/%s of %d values by chain", s.dir, group, name, len(values))
	}
	if len(values) == 0 {
		return nil
	}
	b := make([]byte, len(values)*v.DType.size())
	v.DType.encode(b, values)
	n, err := s.written(chain)
	if err != nil {
		return err
	}
	return s.chain(chain).write(s, n, piece{path: s.chainKey(v, chain), data: b, lazy: true})
}

// readPerChain reads from element lo on; what was not written reads as missing.
func (s *Store) readPerChain(v Variable, chain, lo int, dst []float64) error {
	if len(dst) == 0 {
		return nil
	}
	size := v.DType.size()
	f, err := s.open(s.chain(chain), s.chainKey(v, chain), v.Len()*size)
	if errors.Is(err, fs.ErrNotExist) {
		b := make([]byte, len(dst)*size)
		v.DType.blank(b)
		v.DType.decode(dst, b)
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	b := make([]byte, len(dst)*size)
	if _, err := f.ReadAt(b, int64(lo*size)); err != nil {
		return err
	}
	v.DType.decode(dst, b)
	return nil
}

func (s *Store) readStatic(v Variable, lo int, dst []float64) error {
	if len(dst) == 0 {
		return nil
	}
	size := v.DType.size()
	b, err := s.readFile(s.shared, s.staticKey(v), v.Len()*size)
	if err == nil {
		v.DType.decode(dst, b[lo*size:])
	}
	return err
}
