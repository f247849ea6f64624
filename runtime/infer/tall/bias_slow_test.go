//go:build slow

package tall

const biasSeeds, biasTruth = 20, 8000

const thermostats = 4
