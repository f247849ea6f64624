// Package wire is what sgppl and the program that drives a graphics processor say to one another:
// jobs, requests and replies, in frames over the program's standard input and output.
package wire

// A Job is what a device is to compute: a text in CUDA C, the memory that its kernels work on, and
// the launches that make a step. It knows nothing of models and samplers.
type Job struct {
	Text    string
	Buffers []Buffer
	Lists   []List
}

// A Buffer is memory on the device, set to 0 at first.
type Buffer struct {
	Name  string
	Bytes int64
}

// A List is kernels that are launched one after another. Those that do not read what others of the
// list write may run at the same time.
type List struct {
	Name     string
	Launches []Launch
}

// A Launch is a call of a kernel. Every argument of a kernel is the address of a buffer.
type Launch struct {
	Kernel string
	Blocks int // of Threads threads each
	Args   []Arg
}

// Threads is the number of threads of a block.
const Threads = 256

// An Arg is a buffer by its index in the job.
type Arg struct {
	Buffer int
	Writes bool
}

// Find returns the index of the list with a name; -1 where there is none.
func (j *Job) Find(list string) int {
	for i := range j.Lists {
		if j.Lists[i].Name == list {
			return i
		}
	}
	return -1
}

// Bytes is the memory that the job takes.
func (j *Job) Bytes() int64 {
	n := int64(0)
	for _, b := range j.Buffers {
		n += b.Bytes
	}
	return n
}

// Order returns, for each launch of a list, those that it comes after: those that write what it
// reads, and those that read or write what it writes, but for launches that others of these come
// after anyway.
func Order(list []Launch) [][]int {
	out := make([][]int, len(list))
	before := make([][]bool, len(list)) // all that a launch comes after
	for i := range list {
		before[i] = make([]bool, i)
		for j := i - 1; j >= 0; j-- {
			if before[i][j] || !conflict(&list[i], &list[j]) {
				continue
			}
			out[i] = append(out[i], j)
			before[i][j] = true
			for k, is := range before[j] {
				before[i][k] = before[i][k] || is
			}
		}
	}
	return out
}

func conflict(a, b *Launch) bool {
	for _, x := range a.Args {
		for _, y := range b.Args {
			if x.Buffer == y.Buffer && (x.Writes || y.Writes) {
				return true
			}
		}
	}
	return false
}
