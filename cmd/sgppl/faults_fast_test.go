//go:build !slow

package main

// faultStride is between the calls that TestFaults spoils: one of each run for
// each fault.
const faultStride = 1 << 20
