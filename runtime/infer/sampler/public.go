package sampler

import (
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

// Config has all settings that a run's draws depend on, other than the model and its data.
type Config = settings.Config

// BlockConfig has settings for some params alone.
type BlockConfig = settings.BlockConfig

// ConfigError says that a setting is wrong by itself or together with others.
type ConfigError = settings.ConfigError

// BlockError says that a sampler cannot run on a block.
type BlockError = settings.BlockError

// DefaultConfig returns a Config with the default of every setting.
func DefaultConfig() Config { return settings.DefaultConfig() }

// CodeOf returns the error code of a refused setting; "" if it has none.
func CodeOf(err error) string { return settings.CodeOf(err) }

// HealthRow is one statistic of one block in the health table of a run.
type HealthRow = health.Row

// InitError says that a starting point cannot be used.
type InitError = start.Error
