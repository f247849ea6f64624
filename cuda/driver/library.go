//go:build linux

// Package driver calls NVIDIA's driver and its run-time compiler NVRTC, whose libraries it opens
// when they are needed, without cgo.
package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
	"github.com/sgppl/sgppl/internal/device/wire"
)

// Libraries is the variable of the environment with a directory that is looked through first.
const Libraries = "SGPPL_CUDA_LIBRARIES"

// driverNames and compilerNames are the files of the libraries, the newest first.
var (
	driverNames   = []string{"libcuda.so.1", "libcuda.so"}
	compilerNames = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}
)

// places are directories besides those that the dynamic linker knows.
func places() []string {
	var out []string
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if d := os.Getenv(name); d != "" {
			out = append(out, filepath.Join(d, "lib64"))
		}
	}
	return append(out, "/usr/local/cuda/lib64", "/usr/local/nvidia/lib64")
}

// open opens the first library of a list that is there.
func open(kind wire.Kind, names []string, what string) (uintptr, error) {
	var paths []string
	if d := os.Getenv(Libraries); d != "" {
		for _, n := range names {
			paths = append(paths, filepath.Join(d, n))
		}
	}
	paths = append(paths, names...)
	for _, d := range places() {
		for _, n := range names {
			paths = append(paths, filepath.Join(d, n))
		}
	}
	var last error
	for _, p := range paths {
		if strings.Contains(p, "/") {
			if _, err := os.Stat(p); err != nil {
				continue
			}
		}
		lib, err := purego.Dlopen(p, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return lib, nil
		}
		if last == nil || strings.Contains(p, "/") {
			last = err
		}
	}
	return 0, wire.Problemf(kind, "%s is not installed: %s was looked for where the system has its "+
		"libraries, in %s and in the directory %s (%v)", what, strings.Join(names, " or "),
		strings.Join(places(), ", "), "$"+Libraries, last)
}

// bind finds the functions of a library.
func bind(lib uintptr, of string, functions map[string]any) (err error) {
	for name, f := range functions {
		at, err := purego.Dlsym(lib, name)
		if err != nil {
			return wire.Problemf(wire.NoDriver, "%s lacks the function %s: it is older than CUDA 12",
				of, name)
		}
		purego.RegisterFunc(f, at)
	}
	return nil
}

// text reads a string of C.
func text(p *byte) string {
	if p == nil {
		return ""
	}
	return fmt.Sprint(cString(p))
}
