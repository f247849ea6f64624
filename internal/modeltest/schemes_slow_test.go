//go:build slow

package modeltest

// schemeSteps is how long the chains of TestSchemes are.
const schemeSteps = 60000
