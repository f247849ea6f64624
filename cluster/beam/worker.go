package beam

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// IsWorker says whether arguments are those with which a runner of Beam starts a worker.
func IsWorker(args []string) bool {
	return len(args) > 0 &&
		(strings.HasPrefix(args[0], "--worker") || strings.HasPrefix(args[0], "--id="))
}

// Worker does tasks for the runner that started this process, until it lets go of it.
func Worker(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("worker", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Bool("worker", true, "")
	id, provision := f.String("id", "", ""), f.String("provision_endpoint", "", "")
	control, logging := f.String("control_endpoint", "", ""), f.String("logging_endpoint", "", "")
	for _, unused := range []string{"artifact_endpoint", "semi_persist_dir", "options"} {
		f.String(unused, "", "")
	}
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("arguments of a worker of Beam: %w", err)
	}
	name := strings.Trim(*id, "'") // prism 2.77 has quotes about it
	if name == "" || *provision == "" && *control == "" {
		return errors.New("a worker of Beam is started by its runner, with --id and " +
			"--provision_endpoint or --control_endpoint")
	}
	ctx = grpcx.WriteWorkerID(ctx, name)
	var o harness.Options
	if *provision != "" {
		info, err := tools.ProvisionInfo(ctx, *provision)
		if err != nil {
			return fmt.Errorf("%s: %w", *provision, err)
		}
		o = harness.Options{RunnerCapabilities: info.GetRunnerCapabilities(),
			StatusEndpoint: info.GetStatusEndpoint().GetUrl()}
		if *control == "" {
			*control = info.GetControlEndpoint().GetUrl()
		}
		if *logging == "" {
			*logging = info.GetLoggingEndpoint().GetUrl()
		}
	}
	initialise()
	return harness.MainWithOptions(ctx, *logging, *control, o)
}
