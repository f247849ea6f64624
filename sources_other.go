//go:build !amd64 && !arm64 && !js

package sgppl

import "embed"

// assembly is empty: the runtime has none for this processor.
var assembly embed.FS
