package batch

import (
	"maps"
	"sync"
	"weak"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// An Arrangement is a random order of many rows, one for each number of rows: it is the same in all
// runs, for all seeds. What minibatches read may lie in memory in this order. Rows that lie next
// to each other are then random rows, whatever the order of the data, so a pass may read them
// together. The place of a row is its position in this order.
type Arrangement struct {
	rows   []uint32
	places func() []uint32
}

// arranged has the arrangements that are in use, by their number of rows.
var arranged struct {
	sync.Mutex
	of map[int]weak.Pointer[Arrangement]
}

// Arranges reports whether n rows have an arrangement: few rows stay in their own order.
func Arranges(n int) bool { return n > fewRows && uint64(n) <= 1<<32 }

// Arrange returns the arrangement of n rows, nil where they have none.
func Arrange(n int) *Arrangement {
	if !Arranges(n) {
		return nil
	}
	arranged.Lock()
	defer arranged.Unlock()
	if a := arranged.of[n].Value(); a != nil {
		return a
	}
	rows := deal(n, rng.New(0, 0, rng.Arrangement))
	a := &Arrangement{rows: rows, places: sync.OnceValue(func() []uint32 { return inverse(rows) })}
	if arranged.of == nil {
		arranged.of = map[int]weak.Pointer[Arrangement]{}
	}
	maps.DeleteFunc(arranged.of, func(_ int, old weak.Pointer[Arrangement]) bool {
		return old.Value() == nil
	})
	arranged.of[n] = weak.Make(a)
	return a
}

// inverse returns the place of each row.
func inverse(rows []uint32) []uint32 {
	places := make([]uint32, len(rows))
	for place, row := range rows {
		places[row] = uint32(place)
	}
	return places
}

// Rows returns the row in each place. It must not be changed.
func (a *Arrangement) Rows() []uint32 { return a.rows }

// Places returns the place of each row. It must not be changed. The first call makes
// it.
func (a *Arrangement) Places() []uint32 { return a.places() }
