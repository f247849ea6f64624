//go:build !linux

package scratch

func inMemory(string) bool { return false }
