//go:build !slow

package main

import "strings"

// shorter replaces what makes a command of a page long: its other words are as they stand.
// With the tag slow nothing is replaced.
var shorter = strings.NewReplacer(
	"N=1000000", "N=4000",
	" --draws 4000 --thin 30", " --draws 100",
	"--target-accept 0.95", "--target-accept 0.95 --chains 1 --warmup 100 --draws 50",
)

// shortRun is added to commands of pages that begin a run and do not say how many draws it has.
var shortRun = []string{"--warmup", "100", "--draws", "100"}

// pageEngine is the engine that samples.
const pageEngine = "vm"
