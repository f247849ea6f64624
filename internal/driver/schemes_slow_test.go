//go:build slow

package driver

// schemeSteps is how long the chains of TestSchemes are.
const schemeSteps = 60000
