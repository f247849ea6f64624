package main

import (
	"github.com/sgppl/sgppl/internal/flags"
	"github.com/sgppl/sgppl/runtime/base/setting"
)

func init() { setting.Spell = flags.Name }
