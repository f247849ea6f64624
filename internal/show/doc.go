// Package show prints what runs gave, as tables, pages of HTML and pictures, and how far
// a run is, as lines or bars.
package show
