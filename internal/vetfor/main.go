// Command vetfor does what go vet does: it checks the types of packages and of their tests, and
// runs the analyzers. It reads everything from source and compiles nothing. go vet compiles all
// that the packages import, which takes minutes for a system that nothing was compiled for before.
// GOOS and GOARCH choose the system:
//
//	go build -o vetfor ./internal/vetfor
//	GOOS=windows GOARCH=amd64 ./vetfor ./...
//
// The flags and the exit status are those of golang.org/x/tools/go/analysis/multichecker.
package main

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/suite/vet"
)

func main() {
	multichecker.Main(slices.DeleteFunc(slices.Clone(vet.Suite), func(a *analysis.Analyzer) bool {
		return a.Name == "scannererr" // go vet of Go 1.26 lacks it
	})...)
}
