// Package sgppl has what the whole module shares: its version, and the
// sources of its runtime, which travel with the binary so that models can be
// built where the module is not.
package sgppl

// Version is that of the compiler, the runtime and generated code.
const Version = "0.1.0-dev"
