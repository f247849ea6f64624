package beam

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/sgppl/sgppl/cluster/pass"
)

// Processes does tasks in worker processes, which a runner of Beam starts: that of the job
// service at Endpoint, or prism in this process where Endpoint is "". A worker that dies ends the
// pass on prism; other runners try its tasks again.
type Processes struct {
	Endpoint string // HOST:PORT
	Program  string // of workers, on their machines: sgppl-cluster, which Worker makes one
}

// Run implements pass.Front.
func (f Processes) Run(ctx context.Context, e *pass.Env, list []pass.Task) error {
	p, err := pipeline(e, list)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]string{"command": f.Program})
	if err != nil {
		return err
	}
	// Beam uploads a program with each job. Workers have theirs.
	none, err := os.CreateTemp("", "sgppl-no-program-")
	if err != nil {
		return err
	}
	none.Close()
	defer os.Remove(none.Name())
	return execute(ctx, p, options{f.Endpoint, "process", string(config), none.Name()})
}

// options are those of a job, which Beam has as flags of the process.
type options struct{ endpoint, environment, config, program string }

var (
	jobs  sync.Mutex // guards the flags
	local string     // endpoint of prism in this process, once it runs
)

// execute runs a pipeline by the job service of the options, or by prism in this process.
func execute(ctx context.Context, p *beam.Pipeline, o options) error {
	initialise()
	jobs.Lock()
	defer jobs.Unlock()
	by, name := universal.Execute, "the job service at "+o.endpoint
	if o.endpoint == "" {
		by, name, o.endpoint = prism.Execute, "prism", local
	}
	*jobopts.Endpoint, *jobopts.EnvironmentType = o.endpoint, o.environment
	*jobopts.EnvironmentConfig, *jobopts.WorkerBinary = o.config, o.program
	_, err := by(ctx, p)
	if name == "prism" {
		local = *jobopts.Endpoint
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
