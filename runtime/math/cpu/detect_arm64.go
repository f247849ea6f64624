//go:build arm64 && !purego

package cpu

// detect lists the levels that can run. NEON is part of the architecture. Source: Arm
// Architecture Reference Manual for A-profile, A1.5.
func detect() []Level { return []Level{Portable, NEON} }
