// Package surrogate samples a density that stands for a posterior of many rows, and holds the
// draws against all rows. The density has the prior as it is; of the likelihood it has the
// second order at an anchor, of all rows, and some rows as they are:
//
//	log π̂(x) = log prior(x) + log|J| + Σ ℓ(a) + g·(x−a) + ½ (x−a)ᵀH(x−a)
//	           + Σ_{r in R} w_r [ℓ_r(x) − its second order at a]
//
// R are rows drawn with probabilities π_r = min(1, c·h_r) by their leverage h_r: s_rᵀ C s_r,
// where s_r is the gradient of ℓ_r at the anchor and C the covariance of the posterior, or what
// that gradient changes by over the posterior, if that is more; w_r is 1/π_r. A chain of nuts
// on π̂ reads no rows but R. At the end one pass computes the log density of all rows at the
// draws: the ratios to π̂ are importance weights, whose Pareto k and effective number say
// whether the draws can stand for the posterior.
//
// Expand, Leverages and LogLik compute sums or lists over rows: results of shards are added up, or
// joined, in their order.
package surrogate
