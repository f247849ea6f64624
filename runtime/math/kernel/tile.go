package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// level is the set of instructions that the kernels use; tests change it.
var level = cpu.Best

// A tileShape describes the tile of a variant of the matrix product, for the loops around it.
type tileShape struct {
	lanes   int  // elements of a register; a tile is one or two wide
	rows    int  // of a tile, at most
	anyEdge bool // whether a tile reads B where it ends within a register
	direct  int  // up to so many strips B is not packed
	copied  bool // whether copies of A pay
}

// Columns of a block of B, a multiple of the widest tile.
const (
	gemmColumns64 = 256
	gemmColumns32 = 512
)

// The portable tiles are 2 by 4.
var portableShape = tileShape{lanes: 2, rows: 2, anyEdge: true, direct: 1}

// What the assembly of products has: see internal/kernelgen.
const (
	lanes64avx2, lanes64avx512, lanes64neon = 4, 8, 4
	lanes32avx2, lanes32avx512, lanes32neon = 8, 16, 8
	rowsAVX2, rowsAVX512, rowsNEON          = 6, 14, 6
	// How many columns a transposition takes, and a multiple of which depth.
	strip64, step64 = 4, 2
	strip32, step32 = 8, 4
)

// An eachKind is what is done to every number of an array.
type eachKind int

const (
	combining eachKind = iota
	choosing
	rectifying
	clearing
)

const (
	// tinyProduct is below how many multiplications nothing pays.
	tinyProduct = 64
	// leastShared is how many multiplications a product has at least for a team to share it, about
	// 20 microseconds; partsEach is how many parts of it a member takes on average.
	leastShared, partsEach = 1 << 20, 2
	// leastLong is how many numbers an array has at least for a team to share what is done to each.
	leastLong = 1 << 15
	// The depth of a block at most: a panel of B of two registers and a strip of
	// A stay in the first level of cache, while the panel meets all strips.
	gemmDepth64 = 200
	gemmDepth32 = 264
	// gemmRows is how many rows of A meet a panel of B, and stay in the second
	// level of cache, while they meet all panels.
	gemmRows = 84
	// manyColumns is how long rows are at least for which sorting sparse entries
	// by column pays.
	manyColumns = 64
	// A panel of columns of a product with sparse rows has at most that many
	// registers, of panelBytes each with AVX-512. For products by column it has so
	// few that panelCache holds it of all rows, but not less than leastPanel.
	mostPanel, mostPanelAVX2, mostPanelNEON = 16, 12, 12
	panelBytes                              = 64
	panelCache                              = 40 << 10
	leastPanel                              = 4
	// Products take the columns of the rows in blocks, so that a panel of
	// blockPanel registers of the dense matrix stays there, where a row has at
	// least fullBlock entries a block.
	blockPanel, fullBlock = 5, 8
	// Bytes of numbers and of entries of sorted lists.
	bytes64, bytes32           = 8, 4
	entryBytes64, entryBytes32 = 16, 8
	// A call of assembly takes so many elements of a pass at most, and so many sparse
	// rows: the scheduler cannot interrupt it.
	passChunk, rowsChunk = 1 << 16, 1 << 10
	// farApart is the distance of lines, in elements, from which on they are in
	// their own pages, and whose multiples share few places in the cache.
	farApart = 512
)

// columnPanel is how many registers of columns of so many rows the first cache holds.
func columnPanel(rows int) int { return max(panelCache/(panelBytes*rows), leastPanel) }
