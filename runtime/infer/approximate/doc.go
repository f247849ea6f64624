// Package approximate finds distributions that are near to a posterior and that can be drawn from
// at once, and holds their draws against the density.
//
// An approximation is a mixture of normal laws q(x) in the unconstrained coordinates of a model,
// on curved spaces in charts. The methods of Table find it:
//
//	laplace      maxima of the density, with its curvature there
//	pathfinder   normal laws along climbs, the nearest one of each (Zhang, Carpenter, Gelman and
//	             Vehtari 2022, "Pathfinder: parallel quasi-Newton variational inference")
//	advi         the normal law of a family with the greatest ELBO (Kucukelbir, Tran, Ranganath,
//	             Gelman and Blei 2017, "Automatic differentiation variational inference")
//	smc          no law: particles from a wide normal law to the posterior (Del Moral, Doucet and
//	             Jasra 2006, "Sequential Monte Carlo samplers"), judged by how runs agree
//
// Whatever the law, draws of q have the importance ratios p(x)/q(x). Pareto smoothed
// importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry 2024) gives their weights and
// their Pareto k. Above 0.7 neither draws nor weights can stand for the posterior. The ratios
// know the density only where q has draws: mass far from all of them is not seen, which is why
// every method begins at several points.
package approximate
