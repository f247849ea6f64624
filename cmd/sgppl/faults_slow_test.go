//go:build slow

package main

// faultStride is between the calls that TestFaults spoils: each of them.
const faultStride = 1
