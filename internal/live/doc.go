// Package live shows runs while they go on: on a page that a server on loopback keeps up to
// date by server-sent events, and in a file of the run directory, the pulse, which other
// processes read.
//
// A Recorder makes Views of the events of a run. A Server sends them to pages, and a Pulse
// writes them to the file; neither ever makes the run wait. Follow makes Views of the run of
// another process: of its pulse while there is one, else of what the run has stored.
package live
