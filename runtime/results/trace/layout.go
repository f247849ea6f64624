package trace

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// Add adds arrays, and the groups and coordinates they need, to a store.
// Appenders made before do not know of them.
func (s *Store) Add(vars []Variable) error {
	s.adding = &files{chains: make([][]piece, s.chains)}
	defer func() { s.adding = nil }()
	added := make([]Variable, 0, len(vars))
	for _, v := range vars {
		if v.DType == "" {
			v.DType = Float64
		}
		if err := v.validate(); err != nil {
			return err
		}
		if _, dup := s.meta[v.Group+"/"+v.Name+"/.zarray"]; dup {
			return fmt.Errorf("%s/%s is in the trace twice", v.Group, v.Name)
		}
		if err := s.addGroup(v); err != nil {
			return err
		}
		// Marks the name as taken; shapes follow when all names are known.
		s.meta[v.Group+"/"+v.Name+"/.zarray"] = arrayMeta{}
		added = append(added, v)
	}
	first := len(s.vars)
	s.vars = append(s.vars, added...)
	for i := first; i < len(s.vars); i++ {
		v := &s.vars[i]
		v.Dims = s.axes(*v)
		if err := s.addArray(*v, i); err != nil {
			return err
		}
	}
	return s.writeAdded()
}

// Files are what belongs to arrays that are being added: those that all chains share, and those of
// each chain. They are collected, so that a journal is written to once for all of them.
type files struct {
	shared []piece
	chains [][]piece
	zeros  []byte // what chunks without draws hold
}

// zeros returns n zeros, which are not to be changed.
func (s *Store) zeros(n int) []byte {
	if s.adding == nil {
		return make([]byte, n)
	}
	if len(s.adding.zeros) < n {
		s.adding.zeros = make([]byte, n)
	}
	return s.adding.zeros[:n]
}

// writeAdded writes the files of the arrays that were added, and then the metadata.
func (s *Store) writeAdded() error {
	all := s.adding
	s.adding = nil
	for c, pieces := range all.chains {
		if err := s.writeBlank(c, pieces); err != nil {
			return err
		}
	}
	pieces, err := s.metaPieces(slices.Sorted(maps.Keys(s.meta)))
	if err != nil {
		return err
	}
	return s.share(append(all.shared, pieces...)...)
}

// SetAttr sets an attribute of the store and of every group in it.
func (s *Store) SetAttr(name string, value any) error {
	keys := []string{".zattrs"}
	for key := range s.meta {
		if group, is := strings.CutSuffix(key, "/.zgroup"); is {
			keys = append(keys, group+"/.zattrs")
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		old, _ := s.meta[key].(map[string]any)
		attrs := maps.Clone(old)
		if attrs == nil {
			attrs = map[string]any{}
		}
		attrs[name] = value
		s.meta[key] = attrs
	}
	return s.writeMeta(keys...)
}

func (s *Store) addGroup(v Variable) error {
	key := v.Group + "/.zgroup"
	if _, ok := s.meta[key]; !ok {
		if err := s.mkdir(v.Group); err != nil {
			return err
		}
		s.meta[key] = map[string]any{"zarr_format": 2}
		attrs := s.Attrs()
		if !v.Static {
			attrs["sample_dims"] = []string{"chain", "draw"}
		}
		s.meta[v.Group+"/.zattrs"] = attrs
	}
	if v.Static && !v.PerChain {
		return nil
	}
	if err := s.addCoordinate(v.Group, "chain", s.chains, s.chains); err != nil || v.PerChain {
		return err
	}
	return s.addCoordinate(v.Group, "draw", s.draws, min(s.draws, coordinateChunk))
}

// axes completes the names of a variable's own axes. A name gives way to
// NAME_dim_I when it is a variable's or already stands for another size in the
// group, or twice in this array: xarray refuses those.
func (s *Store) axes(v Variable) []string {
	names := make([]string, len(v.Shape))
	for i := range names {
		name := ""
		if i < len(v.Dims) {
			name = v.Dims[i]
		}
		if name == "" || slices.Contains(names[:i], name) || !s.free(v.Group, name, v.Shape[i]) {
			name = fmt.Sprintf("%s_dim_%d", v.Name, i)
			for !s.free(v.Group, name, v.Shape[i]) {
				name += "_"
			}
		}
		names[i] = name
		// Claimed at once, so that the next axis or variable sees it.
		if key := v.Group + "/" + name + "/.zarray"; s.meta[key] == nil {
			s.meta[key] = newArrayMeta([]int{v.Shape[i]}, []int{max(v.Shape[i], 1)}, Int64, nil)
		}
	}
	return names
}

func (s *Store) free(group, name string, size int) bool {
	if (Variable{Group: group, Name: name, DType: Int64}).validate() != nil {
		return false
	}
	if _, taken := s.Lookup(group, name); taken {
		return false
	}
	m, ok := s.meta[group+"/"+name+"/.zarray"].(arrayMeta)
	return !ok || len(m.Shape) == 1 && m.Shape[0] == size
}

func (s *Store) mkdir(key string) error {
	if err := disk.MkdirAll(s.fs, s.path(key), 0o755); err != nil {
		return fmt.Errorf("cannot make %s: %w", s.path(key), disk.Cause(err))
	}
	return nil
}

// addCoordinate writes the values 0, 1, … of an axis. Its last chunk goes on
// counting past the end, so that a longer axis needs no chunk rewritten.
func (s *Store) addCoordinate(group, name string, size, chunk int) error {
	array := group + "/" + name
	if _, ok := s.meta[array+"/.zattrs"]; ok {
		return nil
	}
	chunk = max(chunk, 1)
	s.meta[array+"/.zarray"] = newArrayMeta([]int{size}, []int{chunk}, Int64, nil)
	s.meta[array+"/.zattrs"] = map[string]any{"_ARRAY_DIMENSIONS": []string{name}}
	if err := s.mkdir(array); err != nil {
		return err
	}
	return s.writeCoordinate(array, 0, size, chunk)
}

// writeCoordinate writes the chunks that hold the values from…size-1.
func (s *Store) writeCoordinate(array string, from, size, chunk int) error {
	values, b := make([]float64, chunk), make([]byte, 8*chunk)
	for k := from / chunk; k*chunk < size; k++ {
		for i := range values {
			values[i] = float64(k*chunk + i)
		}
		Int64.encode(b, values)
		if err := s.share(piece{path: array + "/" + strconv.Itoa(k), data: b}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) addArray(v Variable, order int) error {
	array := v.Group + "/" + v.Name
	if err := s.mkdir(array); err != nil {
		return err
	}
	dims, shape := append([]string{}, v.Dims...), append([]int{}, v.Shape...) // never null in JSON
	chunks := make([]int, len(shape))
	for i, n := range shape {
		chunks[i] = max(n, 1)
		if i < len(v.Labels) && v.Labels[i] != nil {
			if err := s.addLabels(v.Group, dims[i], v.Labels[i]); err != nil {
				return err
			}
			continue
		}
		if err := s.addCoordinate(v.Group, dims[i], n, n); err != nil {
			return err
		}
	}
	if v.PerChain {
		dims = slices.Insert(dims, 0, "chain")
		shape = slices.Insert(shape, 0, s.chains)
		chunks = slices.Insert(chunks, 0, 1)
	}
	if !v.Static {
		dims = slices.Insert(dims, 0, "chain", "draw")
		shape = slices.Insert(shape, 0, s.chains, s.draws)
		chunks = slices.Insert(chunks, 0, 1, v.chunk(s.draws))
	}
	m := newArrayMeta(shape, chunks, v.DType, v.DType.fill())
	s.meta[array+"/.zarray"] = m
	attrs := map[string]any{"_ARRAY_DIMENSIONS": dims, "sgppl_order": order}
	if v.Doc != "" {
		attrs["description"] = v.Doc
	}
	s.meta[array+"/.zattrs"] = attrs
	if v.Static {
		return nil
	}
	for c := range s.chains {
		if err := s.blankChunks(v, c, 0, s.draws); err != nil {
			return err
		}
	}
	return nil
}

// blankChunks writes chunks of zeros for the draws from … to−1 of a chain whose chunks do not
// exist, if the element type has no fill value.
func (s *Store) blankChunks(v Variable, chain, from, to int) error {
	if v.DType.fill() != nil || v.Len() == 0 {
		return nil
	}
	m := s.meta[v.Group+"/"+v.Name+"/.zarray"].(arrayMeta)
	k := m.Chunks[1]
	b := s.zeros(k * v.Len() * v.DType.size())
	var pieces []piece
	for i := from / k; i*k < to; i++ {
		key := s.chunkKey(v, chain, i)
		if _, err := s.fs.Lstat(s.path(key)); err != nil {
			pieces = append(pieces, piece{path: key, data: b})
		}
	}
	if s.adding != nil {
		s.adding.chains[chain] = append(s.adding.chains[chain], pieces...)
		return nil
	}
	return s.writeBlank(chain, pieces)
}

// writeBlank writes chunks of zeros of a chain.
func (s *Store) writeBlank(chain int, pieces []piece) error {
	if len(pieces) == 0 {
		return nil
	}
	n, err := s.counted(chain)
	if err != nil {
		return err
	}
	return s.chain(chain).write(s, n, pieces...)
}

// Resize sets the length of the axis draw. A run that continues after Close restores the length by
// it, or sets a larger one. It also repairs the metadata if a process was killed during a Resize.
func (s *Store) Resize(draws int) error {
	s.shared.durable = true
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(s.meta)) {
		m, ok := s.meta[key].(arrayMeta)
		if !ok {
			continue
		}
		array := key[:len(key)-len("/.zarray")]
		axis := slices.Index(s.dims(array), "draw")
		if axis < 0 || m.Shape[axis] == draws && s.describes(key) {
			continue
		}
		if axis == 0 { // the coordinate
			if err := s.writeCoordinate(array, m.Shape[0], draws, m.Chunks[0]); err != nil {
				return err
			}
		}
		m.Shape = slices.Clone(m.Shape)
		m.Shape[axis] = draws
		s.meta[key] = m
		keys = append(keys, key)
	}
	for _, v := range s.vars {
		for c := range s.chains {
			if v.Static || draws <= s.draws {
				continue
			}
			if err := s.blankChunks(v, c, s.draws, draws); err != nil {
				return err
			}
		}
	}
	s.draws = draws
	if len(keys) == 0 {
		return nil
	}
	return s.writeMeta(keys...)
}

// describes reports whether the file of a key holds the metadata of the key, and nothing else was
// about to be written there.
func (s *Store) describes(key string) bool {
	want, err := encodeJSON(s.meta[key])
	if err != nil {
		return false
	}
	b, err := s.readFile(s.shared, key, -1)
	if err != nil || !bytes.Equal(b, want) {
		return false
	}
	s.shared.lock.Lock()
	defer s.shared.lock.Unlock()
	last, listed := s.shared.now(key)
	return s.plain || listed && last == digestOf(want)
}
