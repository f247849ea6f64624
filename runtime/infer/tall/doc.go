// Package tall samples posteriors of many rows by minibatches whose noise is
// small, known and taken out, and says how wrong the draws may be.
//
// The gradient of a minibatch has a control variate at an anchor near the mode
// (Baker, Fearnhead, Fox and Nemeth 2019): with G the gradient of all rows at
// the anchor θ̂ and S rows drawn with probabilities p,
//
//	ĝ(θ) = G + Σ_{i∈S} [∇ℓ_i(θ) − ∇ℓ_i(θ̂)] / (n p_i) + ∇ log prior(θ).
//
// Rows are drawn by the size of their difference (Putcha, Nemeth and Fearnhead
// 2023), so that n depends on the number of unknowns and not on the number of
// rows. The chain is Hamiltonian dynamics with constant friction, split as
// A B O B A in coordinates in which the posterior is near N(0, I); the noise of ĝ is
// measured, and the random kick is made smaller by as much.
//
// Each chain is paired with a second one, at half the step and half the noise, with the same random
// kicks. Their difference measures the effect of the step and the noise on the draws, far more
// exactly than either chain measures its mean.
package tall
