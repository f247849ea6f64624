// Package beam does the tasks of a pass by Apache Beam: on prism, in this process or with
// workers in processes of their own, or on another runner of Beam. It is the one package that
// imports Beam. Beam carries names of tasks, and never rows, draws or sums: those are objects in
// the bucket.
package beam

import (
	"context"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&doTask{})
	register.Emitter1[string]()
}

// A doTask does tasks by their names, and emits the names of those that ended. Beam sends
// the exported fields to its workers as JSON.
type doTask struct {
	Bucket string
	Cache  string
	VM     bool // evaluates the model, whatever the run has

	env *pass.Env
}

var tasks = beam.NewCounter("sgppl", "tasks")

// Setup opens the run, once a worker.
func (d *doTask) Setup(ctx context.Context) error {
	b, err := bucket.Open(ctx, d.Bucket, false)
	if err != nil {
		return err
	}
	if d.env, err = pass.Open(ctx, b, d.Cache); err != nil {
		return err
	}
	if d.VM {
		d.env.UseVM()
	}
	if opened != nil {
		opened(d.env)
	}
	return nil
}

// opened is told of every run that a worker opens. Tests set it.
var opened func(*pass.Env)

// ProcessElement does a task.
func (d *doTask) ProcessElement(ctx context.Context, name string, emit func(string)) error {
	t, err := pass.ParseTask(name)
	if err != nil {
		return err
	}
	if err := d.env.Do(ctx, t); err != nil {
		return err
	}
	tasks.Inc(ctx, 1)
	emit(name)
	return nil
}

// Teardown lets go of the bucket.
func (d *doTask) Teardown(context.Context) error {
	if d.env == nil {
		return nil
	}
	return d.env.Close()
}

// Prism does tasks on Beam's runner for one machine, in this process. Prism keeps all in
// memory and tries nothing again: a task that fails ends the pass, and the same command
// goes on with the rest.
type Prism struct{}

// Run implements pass.Front.
func (Prism) Run(ctx context.Context, e *pass.Env, list []pass.Task) error {
	p, err := pipeline(e, list)
	if err != nil {
		return err
	}
	return execute(ctx, p, options{environment: "loopback"})
}

// initialise readies Beam, once a process.
var initialise = sync.OnceFunc(func() {
	if !beam.Initialized() {
		beam.Init()
	}
})

// pipeline is the same for every runner. Reshuffle stands behind the list of tasks, since all
// would be one bundle without it.
func pipeline(e *pass.Env, list []pass.Task) (*beam.Pipeline, error) {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = t.String()
	}
	p, s := beam.NewPipelineWithRoot()
	dealt := beam.Reshuffle(s, beam.CreateList(s, names))
	beam.ParDo(s, &doTask{Bucket: e.Bucket.URL, Cache: e.Cache, VM: e.VM()}, dealt)
	return p, nil
}
