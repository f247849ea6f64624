package flow

// Numbers are what the flows of one step in single precision compute with, for a device that takes
// the step in place of a Single.
type Numbers struct {
	Temperature float32
	Friction    float32
	SD          float32   // standard deviation of the noise of the kick
	Times       []float32 // of every flow; exp(−Dt) for a friction without a thermostat
}

// Numbers computes those of a step whose flows take the given times.
func (q *Single) Numbers(flows []Kind, times []float64, to *Numbers) {
	s := q.of
	to.Temperature, to.Friction, to.SD = float32(s.Temperature), float32(s.Friction), 0
	to.Times = append(to.Times[:0], make([]float32, len(flows))...)
	for k, flow := range flows {
		t := times[k]
		to.Times[k] = float32(t)
		switch {
		case flow == Kick || flow == DampedKick:
			to.SD = float32(s.kickSD(t))
		case flow == Langevin:
			to.SD = q.langevinSD(t)
		case (flow == Friction || flow == FrictionAgain) && q.grain() == Constant:
			to.Times[k] = q.damping(t)
		}
	}
}
