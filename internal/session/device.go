package session

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl/internal/device"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Cuda is the device that is an NVIDIA GPU.
const Cuda = "cuda"

// DeviceEngine is the engine of a run whose steps an NVIDIA GPU takes, and that device. It starts
// the program that drives it, which close ends.
func DeviceEngine(
	e *Session, b *Binding, cfg sampler.Config,
) (eng *Engine, on *run.Device, close func(), err error) {
	t := device.New(b.Compiled, b.Target)
	if err := sampler.CheckResident(t, cfg); err != nil {
		t.Close()
		var f *device.Failure
		if errors.As(err, &f) {
			return nil, nil, nil, &ExitError{Code: f.Exit(), message: printable.Error(f), tag: f.Code}
		}
		return nil, nil, nil, Refused(err)
	}
	d := t.About()
	on = &run.Device{Kind: Cuda, Name: d.Name, Capability: d.Capability, Driver: d.Driver,
		Compiler: d.Compiler}
	return &Engine{Cuda, func(ctx context.Context, w run.Work, events func(run.Event)) error {
		w.Engine, w.Threads = Cuda, 1 // the device has the state of one chain at a time
		_, err := run.Continue(ctx, t, w, e.Now, events)
		return err
	}}, on, t.Close, nil
}

// SameDevice returns an error if a run cannot go on with a device, since its bits would differ.
func SameDevice(dir string, was, now *run.Device) error {
	if *was == *now {
		return nil
	}
	return Failf(ExitUsage, "%s was sampled on %s, and here is %s: draws would differ; resume it "+
		"there, or begin a new run", dir, was, now)
}
