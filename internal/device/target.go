package device

import (
	"encoding/binary"
	"errors"
	"math"
	"sync"

	"github.com/sgppl/sgppl/codegen/cuda"
	"github.com/sgppl/sgppl/internal/device/wire"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A Target is a model whose chains move on a GPU. It has one job, in whose memory the chains have
// their states by turns.
type Target struct {
	*model.Model
	compiled *driver.Compiled

	lock   sync.Mutex
	client *client
	about  *wire.Device
	job    *cuda.Result
	lists  map[string]int
	ring   int
	rows   int
	owner  *mover // whose state the device has
}

// New makes a target of a compiled model in single precision. It starts nothing.
func New(c *driver.Compiled, m *model.Model) *Target { return &Target{Model: m, compiled: c} }

// About describes the device, once a chain resides there.
func (t *Target) About() *wire.Device { return t.about }

// Close ends the program.
func (t *Target) Close() {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.client != nil {
		t.client.close()
		t.client = nil
	}
}

// Steps of the ring: about so many rows, and at least and at most so many steps.
const (
	ringRows  = 1 << 20
	leastRing = 8
	mostRing  = 256
)

// Reside implements sampler.Resident.
func (t *Target) Reside(m sampler.Motion) (sampler.Mover, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.job == nil {
		if err := t.load(m); err != nil {
			return nil, err
		}
	}
	return &mover{t: t, dim: m.Dim, steps: make([]byte, t.ring*cuda.StepBytes),
		order: make([]byte, 4*t.ring*t.rows)}, nil
}

// load makes the job, and has the program load it with the data.
func (t *Target) load(m sampler.Motion) error {
	program, err := t.compiled.Whole()
	if err != nil {
		return err
	}
	t.rows = m.Rows
	t.ring = min(max(ringRows/max(m.Rows, 1), leastRing), mostRing)
	job, err := cuda.Generate(cuda.Input{Program: program, Spec: t.compiled.Spec, Dims: t.Dims,
		Rows: m.Rows, Ring: t.ring, Flows: m.Flows, Grain: m.Grain})
	if err != nil {
		var r *cuda.Refusal
		if errors.As(err, &r) {
			return &Failure{noKernel, "--device cuda: " + err.Error() + "; without --device it " +
				"runs on the processor"}
		}
		return err
	}
	c, err := start()
	if err != nil {
		return err
	}
	r, err := c.ask(&wire.Request{Open: &wire.Open{Job: job.Job}})
	if err == nil {
		err = t.fill(c, job)
	}
	if err != nil {
		c.close()
		return err
	}
	t.client, t.job, t.about, t.lists = c, job, r.Device, map[string]int{}
	for i, l := range job.Job.Lists {
		t.lists[l.Name] = i
	}
	return nil
}

// noKernel is the code of a model or a sampler that the device cannot run.
const noKernel = "S0113"

// Data are written in pieces of about so many bytes.
const piece = 16 << 20

// fill writes the data of the model and what does not change.
func (t *Target) fill(c *client, job *cuda.Result) error {
	write := func(buffer int, offset int64, b []byte) error {
		_, err := c.ask(&wire.Request{Ops: []wire.Op{
			{Write: &wire.Write{Buffer: buffer, Offset: offset, Data: b}}}})
		return err
	}
	if err := write(cuda.Jumps, 0, job.Jumps); err != nil {
		return err
	}
	const block = 1024
	e := t.Model.Evaluator(block)
	for _, k := range job.Columns {
		var b []byte
		at := int64(0)
		if !k.Rows {
			single, double := e.Numbers(k.Datum)
			if k.Double {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(double[0]))
			} else {
				b = appendSingle(b, single)
			}
		}
		rows := make([]int, 0, block)
		for r := 0; k.Rows && r < t.Rows(); r += len(rows) {
			rows = rows[:0]
			for i := r; i < min(r+block, t.Rows()); i++ {
				rows = append(rows, i)
			}
			if b = appendSingle(b, e.RowNumbers(k.Datum, rows)); len(b) < piece {
				continue
			}
			if err := write(k.Buffer, at, b); err != nil {
				return err
			}
			at, b = at+int64(len(b)), b[:0]
		}
		if err := write(k.Buffer, at, b); err != nil {
			return err
		}
	}
	return nil
}

// appendSingle appends numbers as the device has them.
func appendSingle(b []byte, x []float32) []byte {
	at := len(b)
	b = append(b, make([]byte, 4*len(x))...)
	for i, v := range x {
		binary.LittleEndian.PutUint32(b[at+4*i:], math.Float32bits(v))
	}
	return b
}

// Of is the model, whose held-out rows a run looks at.
func (t *Target) Of() *model.Model { return t.Model }
