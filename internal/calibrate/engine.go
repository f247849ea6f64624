package calibrate

import (
	"context"
	"sync"

	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
)

// An engine samples posteriors of the model, several at once. Engines give the
// same draws, to the bit.
type engine interface {
	// r is the number of the replication
	sample(ctx context.Context, r int, w *world, work replicate.Work) (*replicate.Kept, error)
	close()
}

// engine is the native one where there is a builder, else the VM.
func (t *Test) engine(ctx context.Context) (engine, error) {
	switch {
	case t.o.Sampled != nil:
		return elsewhere(t.o.Sampled), nil
	case t.o.Native == nil:
		return inProcess{}, nil
	}
	files, err := t.compiled.EmitEngine()
	if err != nil {
		return nil, err
	}
	source := native.Model(files)
	source.Main = native.Replicator
	program, err := t.o.Native.Build(ctx, source)
	if err != nil {
		return nil, err
	}
	return &processes{ctx: ctx, program: program, env: t.o.Native.Env}, nil
}

// inProcess samples by the VM.
type inProcess struct{}

func (inProcess) sample(
	ctx context.Context, _ int, w *world, work replicate.Work,
) (*replicate.Kept, error) {
	return replicate.Sample(ctx, w.target, work)
}

func (inProcess) close() {}

// elsewhere has what was sampled in other processes.
type elsewhere func(r int) (*replicate.Kept, error)

func (of elsewhere) sample(
	_ context.Context, r int, _ *world, _ replicate.Work,
) (*replicate.Kept, error) {
	return of(r)
}

func (elsewhere) close() {}

// processes samples by the generated package, in as many processes as ask at once.
type processes struct {
	ctx     context.Context
	program string
	env     []string

	lock sync.Mutex
	free []*native.Replica
}

func (p *processes) sample(
	_ context.Context, _ int, w *world, work replicate.Work,
) (*replicate.Kept, error) {
	r, err := p.take()
	if err != nil {
		return nil, err
	}
	kept, err := r.Sample(work, w.inputs)
	if !r.Gone() {
		p.lock.Lock()
		p.free = append(p.free, r)
		p.lock.Unlock()
	}
	return kept, err
}

func (p *processes) take() (*native.Replica, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if n := len(p.free); n > 0 {
		r := p.free[n-1]
		p.free = p.free[:n-1]
		return r, nil
	}
	return native.StartReplica(p.ctx, p.program, p.env)
}

func (p *processes) close() {
	for _, r := range p.free {
		r.Close()
	}
}
