package kernel

// CPUTime is for benchmarks outside of the package.
var CPUTime = cpuTime
