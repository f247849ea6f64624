package sampler

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"

	"github.com/sgppl/sgppl/runtime/target"
)

// checkpointMagic opens a checkpoint and names its layout.
const checkpointMagic = "sgchain1"

// A codec writes or reads the numbers of a chain, by the same walk over them:
// what is written cannot differ from what is read.
type codec struct {
	buf     []byte
	at      int
	reading bool
}

func (d *codec) word(x uint64) uint64 {
	if !d.reading {
		d.buf = binary.LittleEndian.AppendUint64(d.buf, x)
		return x
	}
	if len(d.buf)-d.at < 8 {
		d.at = len(d.buf) + 1 // stays past the end
		return 0
	}
	x = binary.LittleEndian.Uint64(d.buf[d.at:])
	d.at += 8
	return x
}

func (d *codec) int(p *int64)     { *p = int64(d.word(uint64(*p))) }
func (d *codec) float(p *float64) { *p = math.Float64frombits(d.word(math.Float64bits(*p))) }
func (d *codec) floats(x []float64) {
	for i := range x {
		d.float(&x[i])
	}
}

func (d *codec) series(s *series) {
	filled := int64(s.filled)
	d.int(&s.n)
	d.int(&s.length)
	d.int(&filled)
	d.float(&s.current)
	d.int(&s.in)
	d.float(&s.total)
	s.filled = int(min(max(filled, 0), maxBatches-1))
	d.floats(s.sums[:s.filled])
}

// walk visits everything of the chain that its future depends on. Random
// numbers and minibatches are functions of the step and need no state.
func (c *Chain) walk(d *codec) {
	s, h := c.state, c.health
	d.int(&c.step)
	d.floats(s.X)
	d.floats(s.V)
	d.floats(s.Xi)
	d.floats(s.Square)
	d.float(&h.n)
	d.float(&h.nXi)
	for _, x := range [][]float64{h.x, h.g, h.xg, h.xx, h.xi, h.xiVar} {
		d.floats(x)
	}
	for i := range h.blocks {
		b := &h.blocks[i]
		for _, s := range []*series{&b.kinetic, &b.xi, &b.xiVar, &b.config} {
			d.series(s)
		}
		if !s.Factors[i].Flat {
			d.series(&b.along)
		}
	}
	if c.row.Metropolis {
		d.series(&h.accept)
	}
	if c.adapt != nil {
		c.adapt.walk(d)
	}
	if c.nuts != nil {
		c.nuts.health.walk(d)
	}
	if c.pilot != nil {
		c.pilot.walk(c, d)
	}
	if e := &c.fisher; e.average != nil {
		d.int(&e.n)
		d.int(&e.calls)
		d.floats(e.average)
		worst := int64(e.worst)
		d.int(&worst)
		e.worst = int(min(max(worst, 0), int64(len(e.average)-1)))
	}
}

// fingerprint identifies the settings, as far as a chain's future depends on
// them. Under a constant step a run may be resumed with more draws.
func (c *Chain) fingerprint() uint64 {
	cfg := c.cfg
	cfg.Chains, cfg.Init, cfg.InitRadius = 0, nil, 0
	if c.schedule.Constant() {
		// Health looks at each step of a short run, each tenth of a long one.
		cfg.Draws = c.health.stride
	}
	h := fnv.New64a()
	text, err := json.Marshal(cfg)
	if err != nil {
		panic("sampler: settings were checked to be finite: " + err.Error())
	}
	h.Write(text)
	return h.Sum64()
}

// AppendBinary appends a checkpoint of the chain to b.
func (c *Chain) AppendBinary(b []byte) ([]byte, error) {
	from := len(b)
	d := &codec{buf: append(b, checkpointMagic...)}
	d.word(c.fingerprint())
	d.word(uint64(c.number))
	d.word(uint64(len(c.state.X)))
	c.walk(d)
	return binary.LittleEndian.AppendUint32(d.buf, crc32.ChecksumIEEE(d.buf[from:])), nil
}

// MarshalBinary is a checkpoint: the whole state of the chain.
func (c *Chain) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// UnmarshalBinary takes the state of a checkpoint of the same chain of a run
// with the same model and settings. After an error the chain must not be used.
func (c *Chain) UnmarshalBinary(b []byte) error {
	const tail = 4
	if len(b) < len(checkpointMagic)+tail || string(b[:len(checkpointMagic)]) != checkpointMagic {
		return &CheckpointError{"this is not a checkpoint of a chain, or of another version"}
	}
	body := b[:len(b)-tail]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(b[len(body):]) {
		return &CheckpointError{"it is damaged: its check sum does not fit"}
	}
	d := &codec{buf: body, at: len(checkpointMagic), reading: true}
	if d.word(0) != c.fingerprint() {
		return &CheckpointError{"it belongs to a run with other settings"}
	}
	if n := d.word(0); n != uint64(c.number) {
		return &CheckpointError{fmt.Sprintf("it belongs to chain %d, not %d", n, c.number)}
	}
	if n := d.word(0); n != uint64(len(c.state.X)) {
		return &CheckpointError{fmt.Sprintf("it has %d coordinates, the model %d", n, len(c.state.X))}
	}
	c.walk(d)
	if d.at != len(body) {
		return &CheckpointError{"its length does not fit the model"}
	}
	c.onBatch, c.finished, c.trajectory.ready = -1, nil, false
	c.state.Primed = c.step > 0
	return nil
}

// ResumeChain makes a chain that goes on from a checkpoint.
func ResumeChain(t target.Target, cfg Config, number int, state []byte) (*Chain, error) {
	cfg, err := cfg.Resolve(t)
	if err != nil {
		return nil, err
	}
	c, err := newChain(t, cfg, number)
	if err != nil {
		return nil, err
	}
	return c, c.UnmarshalBinary(state)
}
