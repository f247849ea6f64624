package sampler

import (
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

// Config is everything that a run's draws depend on besides the model and its data.
type Config = settings.Config

// BlockConfig has settings of some params alone.
type BlockConfig = settings.BlockConfig

// ConfigError is a setting that is wrong by itself or with the others.
type ConfigError = settings.ConfigError

// BlockError is a sampler that cannot run on a block.
type BlockError = settings.BlockError

// DefaultConfig returns a Config with the default of every setting.
func DefaultConfig() Config { return settings.DefaultConfig() }

// CodeOf returns the code of a refused setting; "" where it has none.
func CodeOf(err error) string { return settings.CodeOf(err) }

// HealthRow is one statistic of one block in the health table of a run.
type HealthRow = health.Row

// InitError is a starting point that cannot be used.
type InitError = start.Error
