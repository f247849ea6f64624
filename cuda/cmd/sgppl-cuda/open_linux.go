package main

import (
	"github.com/sgppl/sgppl/cuda/driver"
	"github.com/sgppl/sgppl/cuda/serve"
)

func open() (serve.Device, error) {
	d, err := driver.Open()
	if err != nil {
		return nil, err
	}
	return d, nil
}
