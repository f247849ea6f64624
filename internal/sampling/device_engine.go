package sampling

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl/internal/device"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// cuda is the device that is an NVIDIA GPU.
const cuda = "cuda"

// deviceEngine is the engine of a run whose steps an NVIDIA GPU takes, and that device. It starts
// the program that drives it, which close ends.
func deviceEngine(
	e *session.Session, b *session.Binding, cfg sampler.Config,
) (eng *session.Engine, on *run.Device, close func(), err error) {
	t := device.New(b.Compiled, b.Target)
	if err := sampler.CheckResident(t, cfg); err != nil {
		t.Close()
		var f *device.Failure
		if errors.As(err, &f) {
			return nil, nil, nil, session.Coded(f.Exit(), f.Code, f)
		}
		return nil, nil, nil, session.Refused(err)
	}
	d := t.About()
	on = &run.Device{Kind: cuda, Name: d.Name, Capability: d.Capability, Driver: d.Driver,
		Compiler: d.Compiler}
	steps := func(ctx context.Context, w run.Work, events func(run.Event)) error {
		w.Engine, w.Threads = cuda, 1 // the device has the state of one chain at a time
		_, err := run.Continue(ctx, t, w, e.Now, events)
		return err
	}
	return &session.Engine{Name: cuda, Run: steps}, on, t.Close, nil
}

// sameDevice returns an error if a run cannot go on with a device, since its bits would differ.
func sameDevice(dir string, was, now *run.Device) error {
	if *was == *now {
		return nil
	}
	return session.Usagef("%s was sampled on %s, and here is %s: draws would differ; resume it "+
		"there, or begin a new run", dir, was, now)
}
