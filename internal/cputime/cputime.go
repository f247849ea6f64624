// Package cputime tells tests and benchmarks how long a process has computed. A bound on
// it holds on a busy machine too, where a bound on the time of day does not.
package cputime
