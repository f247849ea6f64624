package team

import "time"

// A Pace finds out from time to time whether a kind of work is done faster by a team or by the
// caller alone. A team is slow where other programs keep its processors busy, since it waits for
// the slowest member. Results do not depend on who does the work, and so not on the clock.
type Pace struct {
	team    *Team
	sharing bool // the work at hand is shared
	begun   time.Time

	phase   phase
	left    int     // pieces of work until the next phase
	stretch int     // pieces of work between two trials
	better  bool    // sharing was faster in the last trial
	sum     cost    // of the pieces in this phase
	per     [2]cost // of the last phase alone, and of the last one shared
}

// A cost is the time of some work.
type cost struct{ seconds, work float64 }

// each is the time of a unit of work.
func (c cost) each() float64 { return c.seconds / max(c.work, 1e-300) }

type phase int

const (
	first  phase = iota // sharing is tried
	second              // working alone is tried
	steady              // the better of both
	trial               // the other one, to see whether that is still so
)

const (
	triedPieces       = 12
	shortest, longest = 64, 1 << 14 // pieces between trials
	// gain is how much less time sharing takes at least for it to be chosen.
	gain = 0.9
)

// Begin reports whether the next piece of work is to be shared. t may be nil. End follows.
func (p *Pace) Begin(t *Team) bool {
	if t == nil {
		return false
	}
	if t.now == nil {
		return true
	}
	if p.team != t {
		*p = Pace{team: t, left: triedPieces, stretch: shortest}
	}
	switch p.phase {
	case first:
		p.sharing = true
	case second:
		p.sharing = false
	case steady:
		p.sharing = p.better
	case trial:
		p.sharing = !p.better
	}
	p.begun = t.now()
	return p.sharing
}

// End records how much work the piece was, in any unit.
func (p *Pace) End(work float64) {
	if p.team == nil {
		return
	}
	p.sum.seconds += p.team.now().Sub(p.begun).Seconds()
	p.sum.work += work
	p.left--
	if p.phase == trial && p.sum.seconds > triedPieces*p.last().each()*work {
		p.left = 0 // it has taken longer than the better way would
	}
	if p.left > 0 {
		return
	}
	if p.sharing {
		p.per[1] = p.sum
	} else {
		p.per[0] = p.sum
	}
	p.sum = cost{}
	p.next()
}

// last is the cost of the better way.
func (p *Pace) last() cost {
	if p.better {
		return p.per[1]
	}
	return p.per[0]
}

// next begins another phase.
func (p *Pace) next() {
	switch p.phase {
	case first:
		p.phase, p.left = second, triedPieces
	case steady:
		p.phase, p.left = trial, triedPieces
	default:
		better := p.per[1].each() < gain*p.per[0].each()
		if p.stretch = min(2*p.stretch, longest); better != p.better {
			p.stretch = shortest
		}
		p.better = better
		p.phase, p.left = steady, p.stretch
	}
}
