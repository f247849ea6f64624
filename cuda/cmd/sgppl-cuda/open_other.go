//go:build !linux

package main

import (
	"github.com/sgppl/sgppl/cuda/serve"
	"github.com/sgppl/sgppl/internal/device/wire"
)

func open() (serve.Device, error) {
	return nil, wire.Problemf(wire.NoDriver, "NVIDIA GPUs are used on Linux alone")
}
