package wire

import "fmt"

// Version is that of the protocol. Both programs have the same.
const Version = 1

// A Request is what sgppl asks for, in the form of encoding/gob. The program answers each with a
// Reply.
type Request struct {
	Version int
	Open    *Open
	Ops     []Op
}

// An Open loads a job. It comes first, and once; without a job it asks for the device alone.
type Open struct {
	Job *Job
}

// An Op is one of three things.
type Op struct {
	Write *Write
	Play  *Play
	Read  *Read
}

// A Write writes to a buffer.
type Write struct {
	Buffer int
	Offset int64
	Data   []byte
}

// A Play launches a list, a few times in a row. It does not wait for the kernels.
type Play struct{ List, Times int }

// A Read reads a buffer, after all that was launched before.
type Read struct {
	Buffer        int
	Offset, Bytes int64
}

// A Reply has what was read, in the order of the requests for it.
type Reply struct {
	Problem *Problem
	Device  *Device // of Open
	Data    [][]byte
}

// A Device is what kernels run on.
type Device struct {
	Name       string `json:"name"`
	Driver     string `json:"driver"`             // version of CUDA that the driver has
	Compiler   string `json:"compiler,omitempty"` // version of NVRTC
	Capability string `json:"capability"`         // compute capability, such as 9.0
	Free       int64  `json:"-"`                  // bytes of memory that are free
	Total      int64  `json:"-"`
}

// A Kind says what is missing.
type Kind string

// The kinds of a Problem.
const (
	NoDriver   Kind = "driver"   // the library of the driver
	NoCompiler Kind = "compiler" // NVRTC
	NoDevice   Kind = "device"
	NoMemory   Kind = "memory"
	Other      Kind = "other"
)

// A Problem is why a request failed.
type Problem struct {
	Kind Kind
	Text string
}

func (p *Problem) Error() string { return p.Text }

// Problemf makes a problem.
func Problemf(kind Kind, format string, args ...any) *Problem {
	return &Problem{kind, fmt.Sprintf(format, args...)}
}
