package kernel

// How many registers of columns a line of a product takes at most: see internal/kernelgen.
const lineAVX2, lineAVX512, lineNEON = 12, 16, 12
