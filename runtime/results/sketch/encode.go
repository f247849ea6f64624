package sketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Size is the number of bytes that WriteTo writes.
func (k *Sketch) Size() int {
	size := 8 * headers
	for _, list := range k.doubles() {
		size += 8 * len(list)
	}
	for _, s := range k.rows() {
		size += 4 * s.rows * s.stored
	}
	return size
}

// A table is rows of 32 bits, of which the memory has the first held columns, and a checkpoint all
// that a chain of more draws would have: zeros in the others.
type table struct {
	rows, held, stored int
	get                func(i int) uint32
	set                func(i int, x uint32)
}

// rows returns what a sketch has in 32 bits, in the order of checkpoints.
func (k *Sketch) rows() []table {
	n, r := k.numbers, &k.ranks
	list := []table{single(k.batches.means, n*(maxBatches-1)), single(r.wait, n*pending)}
	if r.entries == 0 {
		return nil
	}
	for _, x := range []*bounds{nil, &r.low, &r.high} {
		t := table{get: func(i int) uint32 { return x.at(i) }, set: func(i int, v uint32) { x.set(i, v) }}
		if x == nil {
			t = single(r.value, 0)
		}
		t.rows, t.held, t.stored = n, r.slots, r.entries
		list = append(list, t)
	}
	return list
}

// single is a table of one row.
func single(list []float32, stored int) table {
	return table{1, len(list), stored,
		func(i int) uint32 { return math.Float32bits(list[i]) },
		func(i int, x uint32) { list[i] = math.Float32frombits(x) }}
}

// blockBytes is what WriteTo holds of them.
const blockBytes = 1 << 15

// WriteTo writes all that the sketch knows, for a checkpoint.
func (k *Sketch) WriteTo(w io.Writer) (written int64, err error) {
	le, b := binary.LittleEndian, make([]byte, 0, blockBytes)
	flush := func(room int) {
		if err == nil && len(b)+room > blockBytes {
			var n int
			n, err = w.Write(b)
			written, b = written+int64(n), b[:0]
		}
	}
	for _, n := range k.header() {
		b = le.AppendUint64(b, uint64(n))
	}
	for _, list := range k.doubles() {
		for _, x := range list {
			flush(8)
			b = le.AppendUint64(b, math.Float64bits(x))
		}
	}
	for _, t := range k.rows() {
		for row := range t.rows {
			for j := range t.stored {
				flush(4)
				x := uint32(0)
				if j < t.held {
					x = t.get(row*t.held + j)
				}
				b = le.AppendUint32(b, x)
			}
		}
	}
	flush(blockBytes)
	return written, err
}

// UnmarshalBinary takes what WriteTo of a sketch of the same numbers and entries wrote.
func (k *Sketch) UnmarshalBinary(b []byte) error {
	le := binary.LittleEndian
	size := k.Size()
	if len(b) != size || le.Uint64(b) != uint64(k.numbers) ||
		le.Uint64(b[8:]) != uint64(k.ranks.entries) {
		return fmt.Errorf("the moments of the checkpoint are %d bytes, and the model's %d, or "+
			"they are of other numbers", len(b), size)
	}
	var head [headers]int64
	for i := range head {
		head[i] = int64(le.Uint64(b[8*i:]))
	}
	b = b[8*headers:]
	k.count, k.batches.length, k.batches.in = head[2], head[3], head[4]
	k.batches.full, k.ranks.used, k.ranks.waiting = int(head[5]), int(head[6]), int(head[7])
	if k.count < 0 || k.batches.full < 0 || k.batches.full >= maxBatches || k.ranks.used < 0 ||
		k.ranks.used > k.ranks.slots || k.ranks.waiting < 0 || k.ranks.waiting >= pending ||
		k.ranks.waiting*k.ranks.numbers > len(k.ranks.wait) ||
		k.batches.full*len(k.batches.sum) > len(k.batches.means) {
		return errDamaged
	}
	for _, list := range k.doubles() {
		for i := range list {
			list[i] = math.Float64frombits(le.Uint64(b))
			b = b[8:]
		}
	}
	for which, t := range k.rows() {
		for row := range t.rows {
			for j := range t.stored {
				x := le.Uint32(b)
				b = b[4:]
				switch {
				case j >= t.held && x != 0, which >= firstBound && int64(x) > k.ranks.most:
					return errDamaged
				case j < t.held:
					t.set(row*t.held+j, x)
				}
			}
		}
	}
	return nil
}

var errDamaged = errors.New("the moments of the checkpoint are damaged")

const headers = 8

// firstBound is the number of the first table of ranks in rows.
const firstBound = 3

func (k *Sketch) header() [headers]int64 {
	return [headers]int64{int64(k.numbers), int64(k.ranks.entries), k.count, k.batches.length,
		k.batches.in,
		int64(k.batches.full), int64(k.ranks.used), int64(k.ranks.waiting)}
}

func (k *Sketch) doubles() [][]float64 {
	return [][]float64{k.mean, k.square, k.origin, k.batches.sum}
}
