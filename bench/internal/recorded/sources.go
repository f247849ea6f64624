package recorded

// A Source is what a recording is made by.
type Source struct {
	Name string
	// Command prints lines of benchmarks, or one table. Its words have no spaces in them.
	Command string
}

// Recordings are all recordings, each in a file of its name. Other files were typed into pages.
var Recordings = []Source{
	{"steps", "go test -run ^$ -bench Step -benchtime 15x -count 3 ./bench"},
	{"alone", "go test -run ^$ -bench Alone -benchtime 15x -count 5 ./bench"},
	{"gradients", "go test -run ^$ -bench Gradient -benchtime 15x -count 5 ./bench"},
	{"hierarchies", "go test -run ^$ -bench Nuts -benchtime 0.3s -count 5 ./bench"},
}
