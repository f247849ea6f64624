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
	for _, list := range k.singles() {
		size += 4 * len(list)
	}
	for _, list := range k.counts() {
		size += 4 * list.len()
	}
	return size
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
	for _, list := range k.singles() {
		for _, x := range list {
			flush(4)
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	}
	for _, list := range k.counts() {
		for i := range list.len() {
			flush(4)
			b = le.AppendUint32(b, list.at(i))
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
		k.ranks.used > k.ranks.entries || k.ranks.waiting < 0 || k.ranks.waiting >= pending {
		return errDamaged
	}
	for _, list := range k.doubles() {
		for i := range list {
			list[i] = math.Float64frombits(le.Uint64(b))
			b = b[8:]
		}
	}
	for _, list := range k.singles() {
		for i := range list {
			list[i] = math.Float32frombits(le.Uint32(b))
			b = b[4:]
		}
	}
	for _, list := range k.counts() {
		for i := range list.len() {
			x := le.Uint32(b)
			if int64(x) > k.ranks.most {
				return errDamaged
			}
			list.set(i, x)
			b = b[4:]
		}
	}
	return nil
}

var errDamaged = errors.New("the moments of the checkpoint are damaged")

const headers = 8

func (k *Sketch) header() [headers]int64 {
	return [headers]int64{int64(k.numbers), int64(k.ranks.entries), k.count, k.batches.length,
		k.batches.in,
		int64(k.batches.full), int64(k.ranks.used), int64(k.ranks.waiting)}
}

func (k *Sketch) doubles() [][]float64 {
	return [][]float64{k.mean, k.square, k.origin, k.batches.sum}
}

func (k *Sketch) singles() [][]float32 {
	return [][]float32{k.batches.means, k.ranks.wait, k.ranks.value}
}

func (k *Sketch) counts() []*bounds { return []*bounds{&k.ranks.low, &k.ranks.high} }
