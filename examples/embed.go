// Package examples holds the example models and their data. Each is described in README.md.
package examples

import "embed"

// Files has the models, models/NAME.sg, and their data, models/NAME.json.
//
//go:embed models/*.sg models/*.json
var Files embed.FS
