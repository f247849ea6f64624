//go:build slow

package codegen_test

import (
	"os"
	"path/filepath"
)

// The slow tests compare models of any size.
const mostCoordinates = 1 << 30

// comparedModels are the directories of models to compare.
func comparedModels() []string {
	shared := os.Getenv("SGPPL_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	return []string{filepath.Join("..", "examples", "models"), filepath.Join(shared, "models")}
}
