package cuda

import (
	"encoding/binary"
	"math"
)

// A Step is an entry of the ring: what the kernels of a step need to know.
type Step struct {
	Rows            int
	Number          int64 // of the step in its chain
	Joined          bool  // the next step begins where this one ends
	Scale, Jacobian float64
	Seed            [4]uint64 // of the normals, see rng.Stream.Seed32
	Temperature, SD float32
	Times           []float32 // of every flow
	Friction        float32
}

// Put writes the entry with a number to the ring.
func (s *Step) Put(ring []byte, at int) {
	b := ring[at*StepBytes:][:StepBytes]
	le := binary.LittleEndian
	le.PutUint32(b, uint32(s.Rows))
	flags := uint32(0)
	if s.Joined {
		flags = 1
	}
	le.PutUint32(b[4:], flags)
	le.PutUint32(b[8:], uint32(at))
	le.PutUint32(b[12:], uint32(min(s.Number, math.MaxInt32-1)))
	le.PutUint64(b[16:], math.Float64bits(s.Scale))
	le.PutUint64(b[24:], math.Float64bits(s.Jacobian))
	for i, w := range s.Seed {
		le.PutUint64(b[32+8*i:], w)
	}
	le.PutUint32(b[64:], math.Float32bits(s.Temperature))
	le.PutUint32(b[68:], math.Float32bits(s.SD))
	for i, t := range s.Times {
		le.PutUint32(b[72+4*i:], math.Float32bits(t))
	}
	le.PutUint32(b[72+4*mostFlows:], math.Float32bits(s.Friction))
}
