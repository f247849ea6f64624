//go:build !(amd64 || arm64) || purego

package cpu

// detect: other processors have the portable variants.
func detect() []Level { return []Level{Portable} }
