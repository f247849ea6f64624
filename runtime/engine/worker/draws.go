package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
)

// Draws are states of chains, which many requests have in common: Each states of Dim numbers
// of each chain, in the coordinates of the sampler.
type Draws struct {
	Chains, Each, Dim int
	X                 []float64 // [chain][draw][coordinate]
}

// Len is the number of draws of all chains.
func (d *Draws) Len() int { return d.Chains * d.Each }

// State is draw i of all, chain by chain.
func (d *Draws) State(i int) []float64 { return d.X[i*d.Dim:][:d.Dim] }

// Bytes are the draws with their check sum.
func (d *Draws) Bytes() []byte {
	b := make([]byte, 0, 24+8*len(d.X)+sha256.Size)
	for _, n := range []int{d.Chains, d.Each, d.Dim} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, x := range d.X {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// ParseDraws undoes Bytes.
func ParseDraws(b []byte) (*Draws, error) {
	if len(b) < 24+sha256.Size {
		return nil, errors.New("the object of draws is too short")
	}
	b, end := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if sum := sha256.Sum256(b); !bytes.Equal(sum[:], end) {
		return nil, errors.New("the object of draws is damaged: its check sum is another")
	}
	n := func(i int) int { return int(binary.LittleEndian.Uint64(b[8*i:])) }
	d := &Draws{Chains: n(0), Each: n(1), Dim: n(2)}
	total := (len(b) - 24) / 8
	if d.Chains < 1 || d.Each < 1 || d.Dim < 0 || d.Chains > total+1 || d.Each > total+1 ||
		d.Dim > total || d.Chains*d.Each*d.Dim != total || len(b)%8 != 0 {
		return nil, errors.New("the object of draws is damaged: its length does not fit its header")
	}
	d.X = make([]float64, total)
	for i := range d.X {
		d.X[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[24+8*i:]))
	}
	return d, nil
}
