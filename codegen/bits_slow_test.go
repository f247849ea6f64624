//go:build slow

package codegen_test

import (
	"path/filepath"

	"github.com/sgppl/sgppl/internal/reference"
)

// The slow tests compare models of any size.
const mostCoordinates = 1 << 30

// comparedModels are the directories of models to compare.
func comparedModels() []string {
	shared, _ := reference.Dir()
	return []string{filepath.Join("..", "examples", "models"), filepath.Join(shared, "models")}
}

// inSingle reports whether a model is compared in single precision.
func inSingle(string) bool { return true }
