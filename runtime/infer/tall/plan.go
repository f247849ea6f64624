package tall

// A Plan is what was found for a posterior: the constants of a run by minibatches,
// what they were found from, and the choice between minibatches and full passes. Its
// JSON is the field tuning of run.json.
type Plan struct {
	Rows int `json:"rows"` // N
	Dim  int `json:"dim"`  // d, of the state

	// maxima of the density that climbs on some rows found
	Modes       int     `json:"modes"`
	PilotRows   int     `json:"pilot_rows,omitempty"`   // of the subset that the pilot saw
	PilotWeight float64 `json:"pilot_weight,omitempty"` // of each of them
	PilotRhat   float64 `json:"pilot_rhat,omitempty"`   // largest of a coordinate, of four chains
	// "mode" or "mean": where the first anchor is
	Anchor     string `json:"anchor"`
	ModePasses int    `json:"mode_passes"` // over all rows, to find it
	// all rows evaluated before the first step that counts, in N
	SetUp float64 `json:"setup_passes"`

	Metric string `json:"metric"` // "dense" or "diag"
	// λ̄: largest eigenvalue of the curvature by z, mean over states
	Curvature    float64 `json:"curvature_mean"`
	CurvatureMax float64 `json:"curvature_max"`
	CurvatureMin float64 `json:"curvature_min"` // least eigenvalue, mean over states

	// V₁: n times the variance of a coordinate of a minibatch's gradient by z, mean over
	// coordinates
	Noise      float64 `json:"noise"`
	NoiseMax   float64 `json:"noise_max"`   // of the largest coordinate
	NoiseEigen float64 `json:"noise_eigen"` // along the largest direction
	NoisePlain float64 `json:"noise_plain"` // V₁ without an anchor, rows drawn evenly

	Step     float64 `json:"step"`     // h
	Friction float64 `json:"friction"` // D
	Batch    int     `json:"batch"`    // n, rows drawn for a step
	Always   int     `json:"always"`   // rows of every step in addition to them
	Share    float64 `json:"share"`    // κ = V h/(2D), along the largest direction
	Every    int     `json:"every"`    // steps of a draw
	Order    string  `json:"order"`    // "size" or "replace"

	// how often a run was begun anew with a smaller step and less noise
	Attempt int `json:"attempt,omitempty"`

	// Refined has, for each of these, how many times smaller the share of the noise became.
	Refined []float64 `json:"refined,omitempty"`

	Minibatches bool    `json:"minibatches"`      // else full passes
	Reason      string  `json:"reason,omitempty"` // for full passes
	CostDraws   float64 `json:"cost"`             // forecast of the run, in row gradients
	CostNUTS    float64 `json:"cost_nuts"`        // of full passes for as many effective draws

	// FullPasses is the sampler of full passes: "nuts", or "gmc" where a block is curved.
	FullPasses string `json:"full_passes"`
}
