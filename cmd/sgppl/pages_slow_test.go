//go:build slow

package main

import "strings"

// shorter replaces nothing: every command of a page is run as it stands.
var shorter = strings.NewReplacer()

// shortRun is nothing: runs of pages are as long as they are by default.
var shortRun []string

// pageEngine is the engine that samples.
const pageEngine = "native"
