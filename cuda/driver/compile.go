//go:build linux

package driver

import (
	"fmt"
	"unsafe"

	"github.com/sgppl/sgppl/internal/device/wire"
)

// Functions of NVRTC.
var (
	nvrtcVersion           func(major, minor *int32) int32
	nvrtcCreateProgram     func(p *uintptr, text, name *byte, n int32, h, names unsafe.Pointer) int32
	nvrtcCompileProgram    func(p uintptr, n int32, options **byte) int32
	nvrtcGetProgramLogSize func(p uintptr, size *uint64) int32
	nvrtcGetProgramLog     func(p uintptr, log *byte) int32
	nvrtcGetCUBINSize      func(p uintptr, size *uint64) int32
	nvrtcGetCUBIN          func(p uintptr, cubin *byte) int32
	nvrtcGetPTXSize        func(p uintptr, size *uint64) int32
	nvrtcGetPTX            func(p uintptr, ptx *byte) int32
	nvrtcGetErrorString    func(code int32) *byte
)

// invalidOption is NVRTC_ERROR_INVALID_OPTION, of a device that it does not know.
const invalidOption = 5

// oldest is the oldest device that the kernels are for.
const oldest = 80

// compile compiles a text for a device: to its code where the compiler knows it, else to PTX, which
// the driver compiles.
func compile(program string, arch int) (image []byte, version string, err error) {
	lib, err := open(wire.NoCompiler, compilerNames, "NVRTC, the compiler of CUDA C,")
	if err != nil {
		return nil, "", err
	}
	if err := bind(lib, compilerNames[len(compilerNames)-1], map[string]any{
		"nvrtcVersion": &nvrtcVersion, "nvrtcCreateProgram": &nvrtcCreateProgram,
		"nvrtcCompileProgram":    &nvrtcCompileProgram,
		"nvrtcGetProgramLogSize": &nvrtcGetProgramLogSize,
		"nvrtcGetProgramLog":     &nvrtcGetProgramLog, "nvrtcGetCUBINSize": &nvrtcGetCUBINSize,
		"nvrtcGetCUBIN": &nvrtcGetCUBIN, "nvrtcGetPTXSize": &nvrtcGetPTXSize,
		"nvrtcGetPTX": &nvrtcGetPTX, "nvrtcGetErrorString": &nvrtcGetErrorString,
	}); err != nil {
		return nil, "", err
	}
	var high, low int32
	nvrtcVersion(&high, &low)
	version = fmt.Sprintf("%d.%d", high, low)
	image, code, err := compileFor(program, fmt.Sprintf("sm_%d", arch), nvrtcGetCUBINSize,
		nvrtcGetCUBIN)
	if code == invalidOption {
		image, _, err = compileFor(program, fmt.Sprintf("compute_%d", oldest), nvrtcGetPTXSize,
			nvrtcGetPTX)
	}
	return image, version, err
}

func compileFor(program, arch string, size func(uintptr, *uint64) int32,
	get func(uintptr, *byte) int32) ([]byte, int32, error) {
	var p uintptr
	if code := nvrtcCreateProgram(&p, cBytes(program), cBytes("model.cu"), 0, nil, nil); code != 0 {
		return nil, code, failed("nvrtcCreateProgram", code, 0)
	}
	options := []*byte{cBytes("--gpu-architecture=" + arch), cBytes("--std=c++17")}
	if code := nvrtcCompileProgram(p, int32(len(options)), &options[0]); code != 0 {
		return nil, code, failed("the kernels do not compile for "+arch, code, p)
	}
	var n uint64
	if code := size(p, &n); code != 0 {
		return nil, code, failed("the size of the code", code, 0)
	}
	image := make([]byte, n+1)
	if code := get(p, &image[0]); code != 0 {
		return nil, code, failed("the code", code, 0)
	}
	return image, 0, nil
}

// failed is the error of a call, with the compiler's messages.
func failed(what string, code int32, p uintptr) error {
	log := ""
	var n uint64
	if p != 0 && nvrtcGetProgramLogSize(p, &n) == 0 && n > 1 {
		b := make([]byte, n+1)
		nvrtcGetProgramLog(p, &b[0])
		log = "\n" + cString(&b[0])
	}
	return wire.Problemf(wire.Other, "%s: %s (error %d of NVRTC)%s", what,
		text(nvrtcGetErrorString(code)), code, log)
}
