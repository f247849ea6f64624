//go:build !slow

package main

// faultStride is between the calls that TestFaults spoils.
const faultStride = 307
