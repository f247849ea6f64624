package sgppl

import "embed"

// assembly is the assembly of the runtime for this processor.
//
//go:embed runtime/*/*/*_arm64.s runtime/*/*/*/*_arm64.s
var assembly embed.FS
