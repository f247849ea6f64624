package health

import (
	"github.com/sgppl/sgppl/internal/flags"
	"github.com/sgppl/sgppl/runtime/base/setting"
)

// Tests hold the texts that the command prints.
func init() { setting.Spell = flags.Name }
