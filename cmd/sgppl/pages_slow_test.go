//go:build slow

package main

import "strings"

// shorter replaces nothing: every command of a page is run as it stands.
var shorter = strings.NewReplacer()

// pageEngine is the engine that samples.
const pageEngine = "native"
