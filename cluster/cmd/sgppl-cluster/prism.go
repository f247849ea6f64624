//go:build !nobeam

package main

import (
	"context"

	"github.com/sgppl/sgppl/cluster/beam"
	"github.com/sgppl/sgppl/cluster/pass"
)

// A program that is built with the tag nobeam has loops and arrays alone, and is smaller.
func init() {
	prism = func() (pass.Front, error) { return beam.Prism{}, nil }
	processes = func(endpoint, program string) (pass.Front, error) {
		return beam.Processes{Endpoint: endpoint, Program: program}, nil
	}
	beamWorker = func(ctx context.Context, args []string) (bool, error) {
		if !beam.IsWorker(args) {
			return false, nil
		}
		return true, beam.Worker(ctx, args)
	}
}
