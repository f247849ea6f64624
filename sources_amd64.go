package sgppl

import "embed"

// assembly is the assembly of the runtime for this processor.
//
//go:embed runtime/*/*/*_amd64.s runtime/*/*/*/*_amd64.s
var assembly embed.FS
