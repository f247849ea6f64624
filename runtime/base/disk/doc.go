// Package disk is the file system that runs are written to, as an interface:
// every file of a run directory is made, written, synced, renamed and removed
// through an FS, so that tests can have any of these fail, or cut the power
// between two of them.
//
// OS is the file system of the operating system. The helpers of this package
// (WriteFile, Stream, MkdirAll, RemoveAll, …) are built on the methods of FS
// alone.
//
// After a loss of power these are still there: the bytes of a file once File.Sync returned, and
// names (of new, renamed and removed files) once SyncDir of their directory returned. WriteFile and
// Stream do both.
package disk
