// Package modeltest holds the tests that take whole models through the
// compiler and compare what comes out with what mathematics says: gradients
// with differences, charts with their inverses, densities with integrals.
package modeltest
