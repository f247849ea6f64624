package recorded

// A Source is what a recording is made by.
type Source struct {
	Name string
	// Command prints lines of benchmarks, or one table. Its words have no spaces in them.
	Command string
	// Kernels are values of SGPPL_KERNELS with which the command runs, one after another, Rounds
	// times. Units get the value in front. Without them the command runs once.
	Kernels []string
	Rounds  int
}

// levels are all kernels of amd64.
var levels = []string{"avx512", "avx2", "portable"}

// Recordings are all recordings, each in a file of its name. Other files were typed into pages.
var Recordings = []Source{
	{Name: "steps", Command: "go test -run ^$ -bench Step -benchtime 15x -count 3 ./bench"},
	{Name: "alone", Command: "go test -run ^$ -bench Alone -benchtime 15x -count 5 ./bench"},
	{Name: "gradients", Command: "go test -run ^$ -bench Gradient -benchtime 15x -count 5 ./bench"},
	{Name: "growth", Command: "go test -run ^$ -bench Growth -benchtime 1x -count 3 ./bench"},
	{Name: "difference", Command: "go test -run ^$ -bench Difference -benchtime 40x -count 5 " +
		"./bench"},
	{Name: "hierarchies", Command: "go test -run ^$ -bench Nuts -benchtime 0.3s -count 5 ./bench"},
	{Name: "streams/steps", Command: "go run ./bench/streams -sgppl ./sgppl -sizes 100 -passes 60 " +
		"-text=false -repeats 5"},
	{Name: "streams/pass", Command: "go run ./bench/streams -sgppl ./sgppl -sizes 100 -repeats 3"},
	{Name: "kernels/elementwise", Kernels: levels, Rounds: 5, Command: "go test -run ^$ " +
		"-bench Slice|Normals|Uniforms -benchtime 10ms ./runtime/math/special ./runtime/math/rng"},
	{Name: "kernels/vectors", Kernels: levels, Rounds: 5, Command: "go test -run ^$ " +
		"-bench Level1|Gemv|Sparse(Mat)?$|Line -benchtime 10ms ./runtime/math/kernel"},
}
