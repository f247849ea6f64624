// Package diagnose tells how far draws can be trusted: rank-normalised split
// R-hat, effective sample sizes, Monte Carlo standard errors, and leave-one-out
// cross-validation by Pareto smoothed importance sampling.
//
// R-hat, effective sample sizes and standard errors are those of Vehtari,
// Gelman, Simpson, Carpenter, Bürkner, "Rank-normalization, folding, and
// localization: an improved R-hat for assessing convergence of MCMC", Bayesian
// Analysis 16 (2021), in the conventions of the R package posterior. Where
// programs differ: the standard error of the standard deviation uses the
// effective sample size of the squared deviations, one chain is enough, and a
// constant series or one with a value that is not finite gives NaN. Of draws that
// all lie as far from their median, R-hat is that of the draws alone.
//
// Draws come as one slice a chain, all of one length; chains of different
// lengths are an error of the caller and panic. Every function leaves its
// input as it was.
package diagnose
