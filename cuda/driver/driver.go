//go:build linux

package driver

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/sgppl/sgppl/internal/device/wire"
)

// The handles of the driver's API.
type (
	context  uintptr
	module   uintptr
	function uintptr
	stream   uintptr
	graph    uintptr
	instance uintptr
	node     uintptr
	address  uint64
)

// Functions of the driver's library, as its manual declares them. A result other than 0 is an
// error.
var (
	cuInit                      func(flags uint32) int32
	cuDriverGetVersion          func(version *int32) int32
	cuDeviceGetCount            func(n *int32) int32
	cuDeviceGet                 func(device *int32, ordinal int32) int32
	cuDeviceGetName             func(name *byte, length int32, device int32) int32
	cuDeviceGetAttribute        func(value *int32, attribute int32, device int32) int32
	cuDevicePrimaryCtxRetain    func(c *context, device int32) int32
	cuCtxSetCurrent             func(c context) int32
	cuMemGetInfo                func(free, total *uint64) int32
	cuMemAlloc                  func(p *address, bytes uint64) int32
	cuMemsetD8                  func(p address, value uint8, bytes uint64) int32
	cuMemcpyHtoDAsync           func(to address, from unsafe.Pointer, bytes uint64, s stream) int32
	cuMemcpyDtoHAsync           func(to unsafe.Pointer, from address, bytes uint64, s stream) int32
	cuStreamCreate              func(s *stream, flags uint32) int32
	cuStreamSynchronize         func(s stream) int32
	cuModuleLoadData            func(m *module, image *byte) int32
	cuModuleGetFunction         func(f *function, m module, name *byte) int32
	cuGraphCreate               func(g *graph, flags uint32) int32
	cuGraphAddKernelNode        func(n *node, g graph, after *node, count uint64, p *kernelNode) int32
	cuGraphInstantiateWithFlags func(i *instance, g graph, flags uint64) int32
	cuGraphLaunch               func(i instance, s stream) int32
	cuGetErrorString            func(code int32, text **byte) int32
)

// A kernelNode is CUDA_KERNEL_NODE_PARAMS_v2.
type kernelNode struct {
	function       function
	grid, block    [3]uint32
	shared         uint32
	params, extra  unsafe.Pointer
	kernel, within uintptr
}

// Attributes of a device.
const (
	major = 75
	minor = 76
)

// outOfMemory is CUDA_ERROR_OUT_OF_MEMORY, noDevice is CUDA_ERROR_NO_DEVICE.
const (
	outOfMemory = 2
	noDevice    = 100
)

// A Device is an NVIDIA GPU with a job.
type Device struct {
	Info      wire.Device
	arch      int // 90 for compute capability 9.0
	stream    stream
	buffers   []address
	sizes     []int64
	instances []instance
	keep      []any // memory that the driver was given the address of
}

func load() error {
	lib, err := open(wire.NoDriver, driverNames, "NVIDIA's driver")
	if err != nil {
		return err
	}
	return bind(lib, driverNames[0], map[string]any{
		"cuInit": &cuInit, "cuDriverGetVersion": &cuDriverGetVersion,
		"cuDeviceGetCount": &cuDeviceGetCount, "cuDeviceGet": &cuDeviceGet,
		"cuDeviceGetName": &cuDeviceGetName, "cuDeviceGetAttribute": &cuDeviceGetAttribute,
		"cuDevicePrimaryCtxRetain": &cuDevicePrimaryCtxRetain, "cuCtxSetCurrent": &cuCtxSetCurrent,
		"cuMemGetInfo_v2": &cuMemGetInfo, "cuMemAlloc_v2": &cuMemAlloc,
		"cuMemsetD8_v2": &cuMemsetD8, "cuMemcpyHtoDAsync_v2": &cuMemcpyHtoDAsync,
		"cuMemcpyDtoHAsync_v2": &cuMemcpyDtoHAsync, "cuStreamCreate": &cuStreamCreate,
		"cuStreamSynchronize": &cuStreamSynchronize, "cuModuleLoadData": &cuModuleLoadData,
		"cuModuleGetFunction": &cuModuleGetFunction, "cuGraphCreate": &cuGraphCreate,
		"cuGraphAddKernelNode_v2":     &cuGraphAddKernelNode,
		"cuGraphInstantiateWithFlags": &cuGraphInstantiateWithFlags,
		"cuGraphLaunch":               &cuGraphLaunch, "cuGetErrorString": &cuGetErrorString,
	})
}

// check is the error of a call.
func check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	var said *byte
	cuGetErrorString(code, &said)
	kind := wire.Other
	if code == outOfMemory {
		kind = wire.NoMemory
	}
	return wire.Problemf(kind, "%s: %s (error %d of the driver)", call, text(said), code)
}

// Open finds a GPU. The caller's goroutine is bound to its thread from then on, and makes all
// calls.
func Open() (*Device, error) {
	runtime.LockOSThread()
	if err := load(); err != nil {
		return nil, err
	}
	var count, dev, version int32
	if code := cuInit(0); code == noDevice {
		return nil, wire.Problemf(wire.NoDevice, "the driver is there and finds no NVIDIA GPU")
	} else if err := check("cuInit", code); err != nil {
		return nil, err
	}
	if err := check("cuDeviceGetCount", cuDeviceGetCount(&count)); err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, wire.Problemf(wire.NoDevice, "the driver is there and finds no NVIDIA GPU")
	}
	d := &Device{}
	name := make([]byte, 256)
	var high, low int32
	var c context
	for _, k := range []struct {
		call string
		code func() int32
	}{
		{"cuDeviceGet", func() int32 { return cuDeviceGet(&dev, 0) }},
		{"cuDriverGetVersion", func() int32 { return cuDriverGetVersion(&version) }},
		{"cuDeviceGetName", func() int32 { return cuDeviceGetName(&name[0], 255, dev) }},
		{"cuDeviceGetAttribute", func() int32 { return cuDeviceGetAttribute(&high, major, dev) }},
		{"cuDeviceGetAttribute", func() int32 { return cuDeviceGetAttribute(&low, minor, dev) }},
		{"cuDevicePrimaryCtxRetain", func() int32 { return cuDevicePrimaryCtxRetain(&c, dev) }},
		{"cuCtxSetCurrent", func() int32 { return cuCtxSetCurrent(c) }},
		{"cuStreamCreate", func() int32 { return cuStreamCreate(&d.stream, 1) }},
	} {
		if err := check(k.call, k.code()); err != nil {
			return nil, err
		}
	}
	var free, total uint64
	if err := check("cuMemGetInfo", cuMemGetInfo(&free, &total)); err != nil {
		return nil, err
	}
	d.arch = int(10*high + low)
	d.Info = wire.Device{Name: cString(&name[0]), Free: int64(free), Total: int64(total),
		Driver:     fmt.Sprintf("%d.%d", version/1000, version%1000/10),
		Capability: fmt.Sprintf("%d.%d", high, low)}
	return d, nil
}

// Load compiles a job, makes its memory, and records its lists as graphs.
func (d *Device) Load(job *wire.Job) error {
	if need := job.Bytes(); need > d.Info.Free {
		return wire.Problemf(wire.NoMemory, "the model, its data and the state take %s, and %s of "+
			"%s are free on %s", inBytes(need), inBytes(d.Info.Free), inBytes(d.Info.Total), d.Info.Name)
	}
	image, version, err := compile(job.Text, d.arch)
	if err != nil {
		return err
	}
	d.Info.Compiler = version
	for _, b := range job.Buffers {
		var p address
		if err := check("cuMemAlloc", cuMemAlloc(&p, uint64(max(b.Bytes, 4)))); err != nil {
			return err
		}
		if err := check("cuMemsetD8", cuMemsetD8(p, 0, uint64(max(b.Bytes, 4)))); err != nil {
			return err
		}
		d.buffers, d.sizes = append(d.buffers, p), append(d.sizes, b.Bytes)
	}
	var m module
	if err := check("cuModuleLoadData", cuModuleLoadData(&m, &image[0])); err != nil {
		return err
	}
	d.keep = append(d.keep, image)
	functions := map[string]function{}
	for _, l := range job.Lists {
		for _, k := range l.Launches {
			if functions[k.Kernel] != 0 {
				continue
			}
			var f function
			if err := check("cuModuleGetFunction "+k.Kernel,
				cuModuleGetFunction(&f, m, cBytes(k.Kernel))); err != nil {
				return err
			}
			functions[k.Kernel] = f
		}
	}
	for _, l := range job.Lists {
		if err := d.record(l, functions); err != nil {
			return err
		}
	}
	return nil
}

// inBytes writes a number of bytes.
func inBytes(n int64) string {
	x, unit := float64(n)/(1<<10), "KiB"
	for _, larger := range []string{"MiB", "GiB"} {
		if x >= 1024 {
			x, unit = x/1024, larger
		}
	}
	return fmt.Sprintf("%.1f %s", x, unit)
}

// record makes a graph of a list: a kernel comes after those that it must not overtake.
func (d *Device) record(l wire.List, functions map[string]function) error {
	var g graph
	if err := check("cuGraphCreate", cuGraphCreate(&g, 0)); err != nil {
		return err
	}
	nodes, order := make([]node, len(l.Launches)), wire.Order(l.Launches)
	for i, k := range l.Launches {
		values := make([]address, len(k.Args))
		params := make([]unsafe.Pointer, len(k.Args)+1)
		for j, a := range k.Args {
			values[j] = d.buffers[a.Buffer]
			params[j] = unsafe.Pointer(&values[j])
		}
		p := &kernelNode{function: functions[k.Kernel], grid: [3]uint32{uint32(k.Blocks), 1, 1},
			block: [3]uint32{wire.Threads, 1, 1}, params: unsafe.Pointer(&params[0])}
		var after []node
		for _, j := range order[i] {
			after = append(after, nodes[j])
		}
		first := (*node)(nil)
		if len(after) > 0 {
			first = &after[0]
		}
		err := check("cuGraphAddKernelNode "+k.Kernel,
			cuGraphAddKernelNode(&nodes[i], g, first, uint64(len(after)), p))
		runtime.KeepAlive(values)
		runtime.KeepAlive(params)
		if err != nil {
			return err
		}
	}
	var x instance
	if err := check("cuGraphInstantiate", cuGraphInstantiateWithFlags(&x, g, 0)); err != nil {
		return err
	}
	d.instances = append(d.instances, x)
	return nil
}

// Write writes to a buffer, after what was launched before.
func (d *Device) Write(w *wire.Write) error {
	if err := d.inside(w.Buffer, w.Offset, int64(len(w.Data))); err != nil || len(w.Data) == 0 {
		return err
	}
	err := check("cuMemcpyHtoD", cuMemcpyHtoDAsync(d.buffers[w.Buffer]+address(w.Offset),
		unsafe.Pointer(&w.Data[0]), uint64(len(w.Data)), d.stream))
	runtime.KeepAlive(w.Data)
	return err
}

// Play launches a list.
func (d *Device) Play(p *wire.Play) error {
	if p.List < 0 || p.List >= len(d.instances) {
		return wire.Problemf(wire.Other, "there is no list %d", p.List)
	}
	for range p.Times {
		if err := check("cuGraphLaunch", cuGraphLaunch(d.instances[p.List], d.stream)); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a buffer. Wait has the bytes there.
func (d *Device) Read(r *wire.Read) ([]byte, error) {
	if err := d.inside(r.Buffer, r.Offset, r.Bytes); err != nil || r.Bytes == 0 {
		return nil, err
	}
	out := make([]byte, r.Bytes)
	err := check("cuMemcpyDtoH", cuMemcpyDtoHAsync(unsafe.Pointer(&out[0]),
		d.buffers[r.Buffer]+address(r.Offset), uint64(r.Bytes), d.stream))
	return out, err
}

// Wait waits for all that was asked for.
func (d *Device) Wait() error { return check("kernels", cuStreamSynchronize(d.stream)) }

func (d *Device) inside(buffer int, offset, bytes int64) error {
	if buffer < 0 || buffer >= len(d.buffers) || offset < 0 || bytes < 0 ||
		offset+bytes > d.sizes[buffer] {
		return wire.Problemf(wire.Other, "%d bytes at %d are outside of buffer %d", bytes, offset,
			buffer)
	}
	return nil
}

// About describes the device.
func (d *Device) About() *wire.Device { return &d.Info }
