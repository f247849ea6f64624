//go:build !amd64 || purego

package cpu

// detect: other processors have the portable variants.
func detect() Level { return Portable }
