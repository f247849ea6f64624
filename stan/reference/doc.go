// Package reference holds an interpreter of Stan programs, in tests alone: it evaluates the tree
// of a
// program directly, with densities of its own, and shares nothing with the translation but the
// parser. The log density of every imported program is held against it.
package reference
