package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A Store is a directory of draws. Its methods are not safe for concurrent use, but the Appenders
// of different chains may run concurrently, and other processes may read while they do.
type Store struct {
	fs     disk.FS
	dir    string
	vars   []Variable // sampled ones in the order of Create, then the static ones
	chains int
	draws  int            // as far as the arrays reach now
	chosen []int          // the chains that are read; nil: all
	meta   map[string]any // by key: arrayMeta, or map[string]any

	adding   *files // of arrays that Add adds; nil outside it
	plain    bool   // without digests
	shared   *journal
	lock     sync.Mutex // of what follows
	journals map[int]*journal
	verified map[string]fs.FileInfo // files whose digests were found right, by key
}

func newStore(on disk.FS, dir string) *Store {
	s := &Store{fs: on, dir: dir, meta: map[string]any{}, journals: map[int]*journal{},
		verified: map[string]fs.FileInfo{}}
	s.shared = &journal{fs: on, path: s.path(digestsName)}
	return s
}

// Coordinates of the axis draw come in chunks of at most this many.
const coordinateChunk = 1 << 16

// Create makes a store for chains × draws in the new directory dir, whose parent exists. The
// attributes attrs (inference_library_version, created_at, …) are written to the root and to every
// group, together with inference_library. A chunk holds chunk draws, or, at 0, as many as make a
// file of a fair size.
func Create(
	dir string, vars []Variable, chains, draws, chunk int, attrs map[string]any,
) (*Store, error) {
	return CreateOn(disk.OS, dir, vars, chains, draws, chunk, attrs)
}

// CreateOn is Create on another file system than the operating system's.
func CreateOn(
	on disk.FS, dir string, vars []Variable, chains, draws, chunk int, attrs map[string]any,
) (*Store, error) {
	if chains < 1 || draws < 0 {
		return nil, fmt.Errorf("a store of %d chains with %d draws", chains, draws)
	}
	if err := on.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", dir, disk.Cause(err))
	}
	s := newStore(on, dir)
	s.chains, s.draws = chains, draws
	root := map[string]any{"inference_library": "sgppl", "creation_library": "sgppl",
		"creation_library_language": "Go"}
	maps.Copy(root, attrs)
	s.meta[".zgroup"] = map[string]any{"zarr_format": 2}
	s.meta[".zattrs"] = root
	if err := s.shared.create(); err != nil {
		return nil, err
	}
	for c := range chains {
		if err := s.chain(c).create(); err != nil {
			return nil, err
		}
	}
	vars = slices.Clone(vars)
	for i := range vars {
		if vars[i].Chunk == 0 {
			vars[i].Chunk = chunk
		}
	}
	if err := s.Add(vars); err != nil {
		return nil, err
	}
	return s, nil
}

// Open opens a store to read it or to go on writing.
func Open(dir string) (*Store, error) { return OpenOn(disk.OS, dir) }

// OpenOn is Open on another file system than the operating system's.
func OpenOn(on disk.FS, dir string) (*Store, error) {
	s := newStore(on, dir)
	if _, err := on.Lstat(s.shared.path); errors.Is(err, fs.ErrNotExist) {
		s.plain, s.shared.plain = true, true
	}
	if err := s.loadMeta(); err != nil {
		return nil, err
	}
	sampled := false
	for _, key := range slices.Sorted(maps.Keys(s.meta)) {
		array, ok := strings.CutSuffix(key, "/.zarray")
		if !ok {
			continue
		}
		group, name, _ := strings.Cut(array, "/")
		m, dims := s.meta[key].(arrayMeta), s.dims(array)
		if len(dims) != len(m.Shape) {
			return nil, fmt.Errorf("%s: %w: %s names %d axes of %d", dir, ErrCorrupt, array,
				len(dims), len(m.Shape))
		}
		if len(dims) == 1 && dims[0] == name { // a coordinate
			continue
		}
		if m.DType.width() > 0 {
			return nil, fmt.Errorf("%s: %s: unknown element type %q", dir, array, m.DType)
		}
		v := Variable{Group: group, Name: name, Dims: dims, Shape: m.Shape, DType: m.DType,
			Static: true}
		attrs, _ := s.meta[array+"/.zattrs"].(map[string]any)
		v.Doc, _ = attrs["description"].(string)
		if len(dims) >= 2 && dims[0] == "chain" && dims[1] == "draw" {
			v.Static, v.Dims, v.Shape, v.Chunk = false, dims[2:], m.Shape[2:], m.Chunks[1]
			if s.chains > 0 && s.chains != m.Shape[0] || sampled && s.draws != m.Shape[1] {
				return nil, fmt.Errorf("%s: %w: %s has another number of chains or draws than the rest", dir,
					ErrCorrupt, array)
			}
			s.chains, s.draws, sampled = m.Shape[0], m.Shape[1], true
		} else if len(dims) >= 1 && dims[0] == "chain" {
			v.PerChain, v.Dims, v.Shape = true, dims[1:], m.Shape[1:]
			if s.chains > 0 && s.chains != m.Shape[0] {
				return nil, fmt.Errorf("%s: %w: %s has another number of chains than the rest", dir,
					ErrCorrupt, array)
			}
			s.chains = m.Shape[0]
		}
		s.vars = append(s.vars, v)
	}
	s.order()
	if err := s.plausible(); err != nil {
		return nil, err
	}
	return s, nil
}

// order sorts the variables as they were created: that order is an attribute
// of every array, since a JSON object has none.
func (s *Store) order() {
	rank := func(v Variable) int {
		attrs, _ := s.meta[v.Group+"/"+v.Name+"/.zattrs"].(map[string]any)
		switch n := attrs["sgppl_order"].(type) {
		case int:
			return n
		case float64:
			return int(n)
		}
		return 1 << 30
	}
	slices.SortStableFunc(s.vars, func(a, b Variable) int { return rank(a) - rank(b) })
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// Chains is the number of chains that are read: all, or those chosen.
func (s *Store) Chains() int {
	if s.chosen == nil {
		return s.chains
	}
	return len(s.chosen)
}

// Draws is the length of the axis draw.
func (s *Store) Draws() int { return s.draws }

// Variables lists the arrays, coordinates apart, in the order in which they
// were added; an Appender of the store takes the values of those that are not
// static in this order. Do not change it.
func (s *Store) Variables() []Variable { return s.vars }

// Lookup finds a variable.
func (s *Store) Lookup(group, name string) (Variable, bool) {
	for _, v := range s.vars {
		if v.Group == group && v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}

// Attrs are the attributes of the root.
func (s *Store) Attrs() map[string]any {
	m, _ := s.meta[".zattrs"].(map[string]any)
	return maps.Clone(m)
}

func (s *Store) writtenPath(chain int) string {
	return filepath.Join(s.dir, ".chain-"+strconv.Itoa(chain))
}

// Written says how many draws of a chain are whole across all arrays.
func (s *Store) Written(chain int) (int, error) { return s.written(s.Number(chain)) }

// written is Written of a chain by its number in the run.
func (s *Store) written(chain int) (int, error) {
	j := s.chain(chain)
	if err := j.read(); err != nil {
		return 0, err
	}
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.absent && j.plain { // a store of another program
		return s.draws, nil
	}
	return min(j.draws, s.draws), nil
}

// Kept says how many draws of a chain the store has on disk. In a run that was
// stopped they may be more than Written: the draw axis is cut to what chains have
// in common, and the run goes on behind it.
func (s *Store) Kept(chain int) (int, error) {
	j := s.chain(s.Number(chain))
	if err := j.read(); err != nil {
		return 0, err
	}
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.absent && j.plain { // a store of another program
		return s.draws, nil
	}
	return j.draws, nil
}

// counted is Written for who goes on writing: what the journal says behind damage
// is lost, as it was not durable.
func (s *Store) counted(chain int) (int, error) {
	j := s.chain(chain)
	j.lock.Lock()
	defer j.lock.Unlock()
	if err := j.load(); err != nil {
		return 0, err
	}
	switch {
	case j.absent && j.plain:
		return s.draws, nil
	case j.absent:
		return 0, j.gone()
	}
	return min(j.draws, s.draws), nil
}

// Common is the number of draws that every chain that is read has.
func (s *Store) Common() (int, error) {
	common := s.draws
	for c := range s.Chains() {
		n, err := s.Written(c)
		if err != nil {
			return 0, err
		}
		common = min(common, n)
	}
	return common, nil
}

// Close ends writing: the axis draw is cut to what every chain has, so that
// no reader meets the missing rest, or, where some chains have far fewer draws than
// the others, to what Most says; these read as missing behind their last draw.
// Nothing is deleted; Resize takes the cut back. Close the Appenders first.
func (s *Store) Close() error {
	draws := make([]int, s.chains)
	for c := range draws {
		var err error
		if draws[c], err = s.written(c); err != nil {
			return err
		}
	}
	if n := Most(draws); n != s.draws {
		return s.Resize(n)
	}
	return nil
}
