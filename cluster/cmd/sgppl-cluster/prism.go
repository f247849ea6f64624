//go:build !nobeam

package main

import (
	"github.com/sgppl/sgppl/cluster/beam"
	"github.com/sgppl/sgppl/cluster/pass"
)

// A program that is built with the tag nobeam has loops and arrays alone, and is smaller.
func init() { prism = func() (pass.Front, error) { return beam.Prism{}, nil } }
