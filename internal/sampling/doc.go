// Package sampling has the commands that make runs, sample, optimize and approximate: their flags,
// and the steps from these to a run directory that is sampled.
package sampling
