package main

import (
	"errors"
	"os/exec"

	"github.com/sgppl/sgppl/internal/companion"
	"github.com/sgppl/sgppl/internal/session"
)

// clusterProgram does the work of more than one machine. It is a module of its own, so that
// sgppl stays free of the libraries of clouds.
const clusterProgram = "sgppl-cluster"

type clusterCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"A command of sgppl-cluster, and its arguments; sgppl-cluster --help lists them."`
}

func (c *clusterCmd) Help() string {
	return `Runs the program sgppl-cluster, which stands in the directory of sgppl or on the PATH:

  sgppl cluster score runs/churn-1 --data 's3://lake/claims/*.parquet' --out s3://lake/scores
  sgppl cluster fleet churn.sg --data 'customers/*.csv' --by customer --out fleet-1`
}

// noCluster is the error of a program that is not installed.
func noCluster() error {
	return session.Failf(session.ExitFiles, "%s is not in the directory of sgppl and not on "+
		"the PATH; install it: go install github.com/sgppl/sgppl/cluster/cmd/%s@latest",
		clusterProgram, clusterProgram)
}

// Run runs the program with the same streams, and ends with its status.
func (c *clusterCmd) Run(e *session.Session) error {
	path, err := companion.Find(clusterProgram)
	if err != nil {
		return noCluster()
	}
	p := exec.Command(path, c.Args...)
	p.Stdin, p.Stdout, p.Stderr, p.Env = e.Stdin, e.Verbatim, e.Screen, e.Environ
	// The program gets the interrupts of the terminal too, and says what becomes of its work.
	defer e.Interrupts(func() {})()
	err = p.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code := exit.ExitCode()
		if code < 0 {
			code = session.ExitInterrupted
		}
		return &session.ExitError{Code: code}
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "%s does not start: %v", path, err)
	}
	return nil
}
