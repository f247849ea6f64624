// Package flags spells the settings of the runtime as flags of the command line.
package flags

// Name returns the flag of a setting, "--batch-order" of "batch-order". A program of the
// command gives it to package setting.
func Name(setting string) string { return "--" + setting }
