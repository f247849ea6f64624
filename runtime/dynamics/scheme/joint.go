package scheme

// A Joint is the programs of the parts of one state. They may have different words and step sizes.
// Each program is cut at its gradient. A step runs the first pieces of all programs, one gradient
// at the point that they reach, and the second pieces. Parts share nothing but that point, so their
// order counts for nothing. Of palindromes it is a palindrome, and so of second order as they are.
type Joint struct {
	programs []*Program
	gradient func()
}

// NewJoint joins programs. gradient computes −∇Ũ of the whole state.
func NewJoint(gradient func(), programs ...*Program) *Joint {
	return &Joint{programs, gradient}
}

// Run takes one step; program k's is of size h[k].
func (j *Joint) Run(h []float64) {
	for k, p := range j.programs {
		p.aim(h[k])
		p.between(0, p.force)
	}
	j.gradient()
	for _, p := range j.programs {
		p.between(p.force+1, len(p.steps))
		p.state.Primed = true
	}
}

// RunPlainly takes the same step flow by flow, which is what Run must agree
// with bit for bit.
func (j *Joint) RunPlainly(h []float64) {
	for k, p := range j.programs {
		p.plainly(0, p.force, h[k])
	}
	j.gradient()
	for k, p := range j.programs {
		p.plainly(p.force+1, len(p.steps), h[k])
		p.state.Primed = true
	}
}
