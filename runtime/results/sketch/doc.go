// Package sketch summarises the draws of a chain as they come, in memory that does not grow with
// them: for models of so many numbers that their draws cannot be kept. Of every number there are
//
//   - the mean and the sum of squared deviations (Welford 1962, "Note on a method for calculating
//     corrected sums of squares and products"),
//   - the means of 8 to 15 batches of equal length, which doubles as draws come, for the Monte
//     Carlo error of the mean, the effective sample size and R-hat (batches.go, join.go),
//   - a sketch of the quantiles: some of the draws, each with bounds of its rank that hold whatever
//     the draws are (quantiles.go).
//
// A Sketch has one law of memory: all its numbers get a draw at the same time, so counts, lengths
// of batches and entries in use are kept once for all of them. With E entries a number takes 124 +
// 8 E bytes, BytesPer, 124 + 12 E where a chain may have more than 65,535 draws, and 16 where E is
// 0. A chain of fewer than 16 draws, or of fewer than E, cannot fill that, and takes less.
//
// Chains are joined after they ran, by Join: moments add up (Chan, Golub and LeVeque 1979), and so
// do ranks.
//
// Everything is a function of the draws in their order: a Sketch that was stored in a checkpoint
// and loaded goes on with the same bits. Adding a draw allocates nothing.
package sketch
