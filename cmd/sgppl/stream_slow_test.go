//go:build slow

package main

import "testing"

// TestNativeStreams is TestStreams of built samplers: the same draws to the bit.
func TestNativeStreams(t *testing.T) { streamsAre(t, "native") }

// TestNativeFullPassesOfStreams is TestFullPassesOfStreams of built samplers.
func TestNativeFullPassesOfStreams(t *testing.T) { fullPassesOfStreams(t, "native") }

// TestNativeSurrogates is TestSurrogates of built samplers.
func TestNativeSurrogates(t *testing.T) { surrogatesAre(t, "native") }
