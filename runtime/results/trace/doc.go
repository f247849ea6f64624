// Package trace keeps what a run leaves on disk: the draws, as a Zarr version 2 store in the layout
// of ArviZ's InferenceData, and the other files of a run (checkpoints, settings), each replaced in
// one step or not at all.
//
// A Store is a directory of groups ("posterior", "sample_stats", …) of
// arrays. Sampled arrays have the axes chain, draw and then their own. A
// chunk holds consecutive draws of one chain, so chains write without knowing
// of one another, and a process that is killed leaves every chunk either whole
// or absent; an absent chunk reads as NaN. How many draws of each chain are
// whole across every array stands in the journal .chain-K of the store, with
// digests of the chain's files; .digests has those of all others. Whatever is
// read is held against its digest.
//
// Format: Zarr storage specification version 2, with the consolidated
// metadata (.zmetadata) and the attribute _ARRAY_DIMENSIONS that xarray reads.
package trace
