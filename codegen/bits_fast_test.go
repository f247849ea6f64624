//go:build !slow

package codegen_test

import (
	"path/filepath"
	"slices"
	"strings"
)

// Larger models take long on the VM: only the slow tests compare them.
const mostCoordinates = 5000

// comparedModels are the directories of models to compare.
func comparedModels() []string { return []string{filepath.Join("..", "examples", "models")} }

// inSingle reports whether a model is compared in single precision: those of this
// package, and of the examples one of each kind.
func inSingle(name string) bool {
	_, example, found := strings.Cut(name, " ")
	return !found || slices.Contains([]string{"logistic", "neural_network", "gaussian_process",
		"hidden_markov", "missing_values", "embedding_mixture", "recurrent"}, example)
}
