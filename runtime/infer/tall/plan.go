package tall

// A Plan has the constants of a run by minibatches, the measurements that they follow from, and the
// choice between minibatches and full passes. Its JSON is the field tuning of run.json.
type Plan struct {
	Rows int `json:"rows"` // N
	Dim  int `json:"dim"`  // d, the number of unknowns

	// Modes is the number of maxima that climbs on some of the rows found.
	Modes       int     `json:"modes"`
	PilotRows   int     `json:"pilot_rows,omitempty"`   // rows of the pilot
	PilotWeight float64 `json:"pilot_weight,omitempty"` // weight of each of these rows
	PilotRhat   float64 `json:"pilot_rhat,omitempty"`   // largest over coordinates, for four chains
	// Anchor says where the first anchor is: "mode" or "mean".
	Anchor     string `json:"anchor"`
	ModePasses int    `json:"mode_passes"` // passes over all rows to find the mode
	// SetUp is the number of row evaluations before the first step that counts, divided by N.
	SetUp float64 `json:"setup_passes"`

	Metric string `json:"metric"` // "dense" or "diag"
	// Curvature is λ̄, the largest eigenvalue of the curvature with respect to z, averaged over
	// states.
	Curvature    float64 `json:"curvature_mean"`
	CurvatureMax float64 `json:"curvature_max"`
	CurvatureMin float64 `json:"curvature_min"` // smallest eigenvalue, averaged over states

	// Noise is V₁: n times the variance of a coordinate of a minibatch's gradient with respect to z,
	// averaged over coordinates.
	Noise      float64 `json:"noise"`
	NoiseMax   float64 `json:"noise_max"`   // of the coordinate with the largest
	NoiseEigen float64 `json:"noise_eigen"` // along the direction with the largest
	NoisePlain float64 `json:"noise_plain"` // V₁ without an anchor, rows drawn evenly

	Step     float64 `json:"step"`     // h, of the coarse chain
	Friction float64 `json:"friction"` // D
	Batch    int     `json:"batch"`    // n, rows drawn for a step
	Always   int     `json:"always"`   // rows of every step in addition to them
	Share    float64 `json:"share"`    // κ = V h/(2D), along the direction with the largest
	Every    int     `json:"every"`    // steps per draw
	Order    string  `json:"order"`    // "size" or "replace"

	// Attempt is how often the run was restarted with a smaller step and less noise.
	Attempt int `json:"attempt,omitempty"`

	// Refined has, for each restart, the factor by which the share of the noise became smaller.
	Refined []float64 `json:"refined,omitempty"`

	Minibatches bool    `json:"minibatches"`      // false: full passes
	Reason      string  `json:"reason,omitempty"` // why full passes were chosen
	CostDraws   float64 `json:"cost"`             // forecast cost of the run, in row gradients
	// forecast cost of full passes for as many effective draws
	CostNUTS float64 `json:"cost_nuts"`

	// FullPasses is the sampler of full passes: "nuts", or "gmc" where a block is curved.
	FullPasses string `json:"full_passes"`
}
