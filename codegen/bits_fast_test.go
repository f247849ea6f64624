//go:build !slow

package codegen_test

import "path/filepath"

// Larger models take long on the VM: only the slow tests compare them.
const mostCoordinates = 5000

// comparedModels are the directories of models to compare.
func comparedModels() []string { return []string{filepath.Join("..", "examples", "models")} }
