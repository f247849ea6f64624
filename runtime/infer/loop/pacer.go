package loop

import "time"

// A Pacer looks at the clock and the context only every so many steps, about
// every few milliseconds, so that neither costs a fast loop anything.
type Pacer struct {
	o                            Options
	every, count                 int64
	start, last, shown, recorded time.Time
	turn                         time.Time // when the chain's turn began
	looks                        int64     // without a clock

	storing bool          // a checkpoint was written since the last look
	rest    time.Duration // before the next: storing takes a fifth of the time at most
}

// NewPacer starts the clock of a chain.
func NewPacer(o Options) *Pacer {
	p := &Pacer{o: o, every: 1}
	if o.Now != nil {
		p.start = o.Now()
		p.last, p.shown, p.recorded, p.turn = p.start, p.start, p.start, p.start
	}
	return p
}

// looksOfTurn is how many looks without a clock are a turn.
const looksOfTurn = 64

// Due reports whether to look around before the next step. It lets other chains go on where they
// wait for this one: then it returns when it is this one's turn.
func (p *Pacer) Due() bool {
	if p.count++; p.count < p.every {
		return false
	}
	p.count = 0
	if p.o.Now == nil {
		p.every = 16
		if p.looks++; p.o.turns != nil && p.looks%looksOfTurn == 0 {
			p.o.turns.pass()
		}
		return true
	}
	now := p.o.Now()
	switch d := now.Sub(p.last); {
	case p.storing: // the interval begins where the checkpoint is written
		p.storing, p.rest = false, 4*now.Sub(p.recorded)
		p.recorded = now
	case d < 5*time.Millisecond:
		p.every = min(2*p.every, 1<<20)
	case d > 50*time.Millisecond:
		p.every = max(p.every/4, 1)
	}
	if p.last = now; p.o.turns != nil && now.Sub(p.turn) >= slice {
		p.o.turns.pass()
		p.last = p.o.Now()
		p.turn = p.last
	}
	return true
}

// Free returns how many steps may be taken, after a call of Due, before Due looks around again.
func (p *Pacer) Free() int64 { return p.every - p.count }

// Skip counts n steps before which Due was not called; n is less than Free.
func (p *Pacer) Skip(n int64) { p.count += n }

// Progress reports whether to tell how far the chain is.
func (p *Pacer) Progress() bool {
	if p.o.Now == nil || p.o.ProgressEvery <= 0 || p.last.Sub(p.shown) < p.o.ProgressEvery {
		return false
	}
	p.shown = p.last
	return true
}

// Checkpoint reports whether to leave a checkpoint.
func (p *Pacer) Checkpoint() bool {
	if p.o.Now == nil || p.o.CheckpointEvery <= 0 ||
		p.last.Sub(p.recorded) < max(p.o.CheckpointEvery, p.rest) {
		return false
	}
	p.recorded, p.storing = p.last, true
	return true
}

// Elapsed is the time from the start to the last look at the clock.
func (p *Pacer) Elapsed() time.Duration { return p.last.Sub(p.start) }

// Look reads the clock once more, for the last message.
func (p *Pacer) Look() {
	if p.o.Now != nil {
		p.last = p.o.Now()
	}
}
