//go:build !slow

package tall

const biasSeeds, biasTruth = 2, 1500

const thermostats = 2
