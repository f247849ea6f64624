package device

import (
	"encoding/binary"
	"math"

	"github.com/sgppl/sgppl/codegen/cuda"
	"github.com/sgppl/sgppl/internal/device/wire"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A mover moves one chain. Steps are kept and sent many at a time.
type mover struct {
	t      *Target
	dim    int
	steps  []byte // the ring
	order  []byte // the rows of each step
	queued []cuda.Step
	saved  [][]byte // of a chain whose state is not on the device: X, V and Xi
	bad    int32    // first step that is not finite, of a saved chain
}

// never is the number of no step.
const never = math.MaxInt32

// state are the buffers of the state.
var state = [3]int{cuda.X, cuda.V, cuda.Xi}

// Put implements sampler.Mover.
func (m *mover) Put(s *flow.Single) error {
	m.t.lock.Lock()
	defer m.t.lock.Unlock()
	m.queued = m.queued[:0]
	m.saved, m.bad = nil, never
	for _, x := range [][]float32{s.X, s.V, s.Xi} {
		m.saved = append(m.saved, appendSingle(nil, x))
	}
	if m.t.owner == m {
		m.t.owner = nil
	}
	return m.own()
}

// own puts the chain's state on the device. Another chain's is saved.
func (m *mover) own() error {
	t := m.t
	if t.owner == m {
		return nil
	}
	if o := t.owner; o != nil {
		r, err := t.do(append(o.flush(), o.reads()...))
		if err != nil {
			return err
		}
		o.saved, o.bad = r[:3], int32(binary.LittleEndian.Uint32(r[3]))
	}
	var ops []wire.Op
	for i, b := range m.saved {
		ops = append(ops, wire.Op{Write: &wire.Write{Buffer: state[i], Data: b}})
	}
	ops = append(ops, wire.Op{Write: &wire.Write{Buffer: cuda.Bad,
		Data: binary.LittleEndian.AppendUint32(nil, uint32(m.bad))}})
	_, err := t.do(ops)
	t.owner, m.saved = m, nil
	return err
}

// reads are the requests for the state, and for the first bad step.
func (m *mover) reads() []wire.Op {
	var ops []wire.Op
	for _, b := range state {
		ops = append(ops, m.t.read(b))
	}
	return append(ops, m.t.read(cuda.Bad))
}

// do sends requests.
func (t *Target) do(ops []wire.Op) ([][]byte, error) {
	r, err := t.client.ask(&wire.Request{Ops: ops})
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

func (t *Target) read(buffer int) wire.Op {
	return wire.Op{Read: &wire.Read{Buffer: buffer, Bytes: t.job.Job.Buffers[buffer].Bytes}}
}

func (t *Target) play(list string, times int) wire.Op {
	return wire.Op{Play: &wire.Play{List: t.lists[list], Times: times}}
}

// add queues a step.
func (m *mover) add(b *sampler.Beat) {
	k := len(m.queued)
	m.queued = append(m.queued, cuda.Step{Rows: len(b.Rows), Number: b.Step, Scale: b.Scale,
		Jacobian: b.Jacobian, Seed: b.Seed, Temperature: b.Temperature, SD: b.SD,
		Friction: b.Friction, Times: append([]float32(nil), b.Times...)})
	for i, r := range b.Rows {
		binary.LittleEndian.PutUint32(m.order[4*(k*m.t.rows+i):], uint32(r))
	}
}

// ringOps are the requests that write the queued steps.
func (m *mover) ringOps() []wire.Op {
	n := len(m.queued)
	for k := range m.queued {
		m.queued[k].Joined = k < n-1
		m.queued[k].Put(m.steps, k)
	}
	return []wire.Op{
		{Write: &wire.Write{Buffer: cuda.Steps, Data: m.steps[:n*cuda.StepBytes]}},
		{Write: &wire.Write{Buffer: cuda.RowOrder, Data: m.order[:4*n*m.t.rows]}},
		{Write: &wire.Write{Buffer: cuda.Cursor, Data: make([]byte, 8)}},
		m.t.play(cuda.Head, 1),
	}
}

// flush are the requests that take the queued steps.
func (m *mover) flush() []wire.Op {
	n := len(m.queued)
	if n == 0 {
		return nil
	}
	ops := append(m.ringOps(), m.t.play(cuda.Whole, n))
	m.queued = m.queued[:0]
	return ops
}

// Move implements sampler.Mover.
func (m *mover) Move(b *sampler.Beat) error {
	m.t.lock.Lock()
	defer m.t.lock.Unlock()
	if m.add(b); len(m.queued) < m.t.ring {
		return nil
	}
	if err := m.own(); err != nil {
		return err
	}
	_, err := m.t.do(m.flush())
	return err
}

// Watch implements sampler.Mover.
func (m *mover) Watch(b *sampler.Beat, s *flow.Single) error {
	t := m.t
	t.lock.Lock()
	defer t.lock.Unlock()
	if err := m.own(); err != nil {
		return err
	}
	ops := m.flush()
	if len(ops) > 0 { // m.order is to have the rows of the next step
		if _, err := t.do(ops); err != nil {
			return err
		}
	}
	m.add(b)
	ops = append(m.ringOps(), t.play(cuda.Gradient, 1), t.read(cuda.X), t.read(cuda.Force),
		t.play(cuda.Tail, 1))
	m.queued = m.queued[:0]
	r, err := t.do(ops)
	if err != nil {
		return err
	}
	single(s.X, r[0])
	single(s.Force, r[1])
	return nil
}

// Get implements sampler.Mover.
func (m *mover) Get(s *flow.Single) (int64, error) {
	t := m.t
	t.lock.Lock()
	defer t.lock.Unlock()
	if err := m.own(); err != nil {
		return -1, err
	}
	r, err := t.do(append(m.flush(), m.reads()...))
	if err != nil {
		return -1, err
	}
	single(s.X, r[0])
	single(s.V, r[1])
	single(s.Xi, r[2])
	bad := int32(binary.LittleEndian.Uint32(r[3]))
	if bad == never {
		return -1, nil
	}
	if r, err = t.do([]wire.Op{t.read(cuda.Force)}); err != nil {
		return -1, err
	}
	single(s.Force, r[0])
	return int64(bad), nil
}

// single reads numbers as the device has them.
func single(x []float32, b []byte) {
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}
