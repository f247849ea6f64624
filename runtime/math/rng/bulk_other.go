//go:build !(amd64 || arm64) || purego

package rng

// There are no vectors here, and nobody calls these.

func vectorUniforms(dst *float64, s *states, rounds int) {}

func vectorNormals(dst *float64, s *states, rounds int) {}

func vectorNormals32(dst *float32, s *states, rounds int) {}

func vectorSeeds(s *states, block *[4]uint64) {}
