package format

import (
	"bytes"
	"encoding/gob"
	"errors"
	"maps"
	"slices"
)

// ByName is a map by names that encoding/gob stores as two lists. Of a plain map gob stores how
// many entries it has, and a reader allocates memory for all of them before it reads the first: a
// damaged number could demand any amount of memory.
type ByName[V any] map[string]V

// lists are a ByName as it is stored: the names in their order, and what each stands for.
type lists[V any] struct {
	Names  []string
	Values []V
}

// GobEncode stores the map: equal maps are the same bytes.
func (m ByName[V]) GobEncode() ([]byte, error) {
	l := lists[V]{Names: slices.Sorted(maps.Keys(m))}
	for _, name := range l.Names {
		l.Values = append(l.Values, m[name])
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(l)
	return b.Bytes(), err
}

// GobDecode reads what GobEncode stored. It is an error when there are not as many
// values as names.
func (m *ByName[V]) GobDecode(b []byte) error {
	var l lists[V]
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&l); err != nil {
		return err
	}
	if len(l.Names) != len(l.Values) {
		return errors.New("a map has other numbers of names and of values")
	}
	*m = make(ByName[V], len(l.Names))
	for i, name := range l.Names {
		(*m)[name] = l.Values[i]
	}
	return nil
}
