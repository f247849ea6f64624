package sampling

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// onDevice reports whether a device takes the steps.
func (c *Sample) onDevice() bool { return c.Device == cuda }

// checkDevice refuses flags that mean something else, or nothing, on a device.
func (s *sampling) checkDevice() error {
	switch {
	case !s.onDevice():
		return nil
	case s.Precision != run.Single:
		return session.Usagef("--device %s computes in single precision: give --precision f32",
			s.Device)
	case given(s.ctx, "engine"):
		return session.Usagef("--engine is of the processors, and --device %s of a GPU: one of them",
			s.Device)
	case s.Stream:
		return session.Usagef("--stream: on a GPU the data are in its memory as a whole; leave " +
			"--stream or --device away")
	case s.Surrogate:
		return session.Usagef("--surrogate has nothing to compute on a GPU; leave --device away")
	case len(s.Sampler) == 0:
		return session.Usagef("--device %s: name the --sampler, one of sgld, sghmc and msgnht, and "+
			"its --step", s.Device)
	}
	return nil
}

// deviceTakes refuses a run that finds by itself how it samples.
func (s *sampling) deviceTakes() error {
	if s.onDevice() && s.planned {
		return session.Usagef("--device %s: a run there has a --sampler and a --step that are given",
			s.Device)
	}
	return nil
}

// engine is what runs the chains, and ends what it started.
func (s *sampling) engine(r *run.Record) (eng *session.Engine, done func(), err error) {
	if s.onDevice() {
		eng, r.Device, done, err = deviceEngine(s.e, s.b, s.cfg)
		if err == nil {
			s.e.Note("steps on %s", r.Device)
		}
		return eng, done, err
	}
	eng, err = session.PickEngine(s.e, s.b, s.Engine, s.Progress == "none")
	return eng, func() {}, err
}

// resumedEngine is what goes on with the chains of a run: the device that it was begun on.
func (c *Sample) resumedEngine(
	e *session.Session, b *session.Binding, r *run.Record,
) (eng *session.Engine, done func(), err error) {
	if r.Device == nil {
		eng, err = session.PickEngine(e, b, c.Engine, c.Progress == "none")
		return eng, func() {}, err
	}
	if c.Engine != "auto" {
		return nil, nil, session.Usagef("--engine: the run in %s goes on where it was begun, on %s",
			c.Resume, r.Device)
	}
	eng, now, done, err := deviceEngine(e, b, r.Settings)
	if err != nil {
		return nil, nil, err
	}
	if err := sameDevice(c.Resume, r.Device, now); err != nil {
		done()
		return nil, nil, err
	}
	return eng, done, nil
}
