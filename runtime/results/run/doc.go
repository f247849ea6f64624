// Package run takes a sampler's run to a directory and back: the draws as a
// store that is readable at any moment, checkpoints from which the run goes on
// bit for bit, and a record of everything that the draws depend on. It knows
// targets, not engines: the program in process and a model built into a binary
// of its own call the same functions.
//
// A run directory:
//
//	run.json      the Record
//	model.sg      the text that ran
//	names.json    names of the entries of dims, where they were given
//	draws.zarr    posterior and sample_stats, by package trace
//	warmup.zarr   the same of the warm-up, where it was asked for
//	chain-K.ckpt  a checkpoint
//	log.txt       what happened, a line each
//
// Prepare makes the directory, Continue samples until the run is complete:
// from the start, or from the checkpoints that are there.
package run
