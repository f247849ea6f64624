package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
)

const (
	fisherSlices = 8  // default number of slices of a minibatch
	fisherEvery  = 10 // default number of steps between estimates
)

// checkFisher refuses --grad-noise fisher if there is no noise to estimate.
func (c *Config) checkFisher() error {
	if !c.Fisher {
		if c.FisherSlices != 0 || c.FisherEvery != 0 {
			return &ConfigError{Setting: "grad-noise",
				Problem: "slices and intervals of an estimate, and none is made",
				Try:     setting.Text("{grad-noise} fisher")}
		}
		return nil
	}
	row, _ := table.Lookup(c.Sampler)
	if c.FisherSlices == 0 {
		c.FisherSlices = min(fisherSlices, max(c.Batch, 2))
	}
	if c.FisherEvery == 0 {
		c.FisherEvery = fisherEvery
	}
	switch {
	case !row.Velocity:
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("sampler %s has no kick whose noise could make room", row.Name),
			Try:     "sghmc or a thermostat"}
	case c.GradNoise != 0:
		return &ConfigError{Setting: "grad-noise",
			Problem: "a given variance and an estimated one exclude each other", Try: "one of them"}
	case c.FullBatch:
		return &ConfigError{Setting: "grad-noise",
			Problem: "gradients of all rows have no noise to estimate",
			Try:     setting.Text("a minibatch, {batch}")}
	case c.BatchOrder != string(batch.Replace):
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("fisher takes the noise of independent minibatches out of the "+
				"kick, and batches of the order %s take their noise away again by the end of a "+
				"pass: the draws would be too narrow", c.BatchOrder),
			Try: setting.Text("{batch-order} replace, without {stream}; or no {grad-noise}")}
	case c.Batch < 2:
		return &ConfigError{Setting: "grad-noise",
			Problem: "the spread between rows of a minibatch needs two",
			Try:     setting.Text("{batch} 2 or more")}
	case c.InnerSteps > 1:
		return &ConfigError{Setting: "grad-noise",
			Problem: "steps on one minibatch have one noise, which no kick by itself takes out",
			Try:     setting.Text("{inner-steps} 1")}
	case c.Friction == 0:
		return &ConfigError{Setting: "grad-noise",
			Problem: "without friction the kick has no noise that could make room",
			Try:     setting.Text("{friction} 1")}
	case c.FisherSlices < 2 || c.FisherSlices > c.Batch:
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("%d slices of a minibatch of %d rows", c.FisherSlices, c.Batch),
			Try:     "2 or more"}
	case c.FisherEvery < 1:
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("an estimate every %d steps", c.FisherEvery), Try: "1 or more"}
	}
	return nil
}

// Synthetic returns the diffusion B or the variance V that SyntheticNoise sets; the other is 0.
func (c *Config) Synthetic() (diffusion, gradient float64, err error) {
	if c.SyntheticNoise == "" {
		return 0, 0, nil
	}
	kind, number, _ := strings.Cut(c.SyntheticNoise, ":")
	x, perr := strconv.ParseFloat(number, 64)
	if perr == nil && x >= 0 && special.Finite(x) {
		switch kind {
		case "diffusion":
			return x, 0, nil
		case "gradient":
			return 0, x, nil
		}
	}
	return 0, 0, &ConfigError{Setting: "synthetic-noise",
		Problem: fmt.Sprintf("%q cannot be read", c.SyntheticNoise),
		Try:     "diffusion:B or gradient:V with a number that is not negative"}
}

func (c *Config) checkNoise(t target.Target) error {
	row, _ := table.Lookup(c.Sampler)
	if _, _, err := c.Synthetic(); err != nil {
		return err
	}
	if !(c.GradNoise >= 0 && special.Finite(c.GradNoise)) {
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("a variance is at least 0, not %g", c.GradNoise)}
	}
	if err := c.checkFisher(); err != nil {
		return err
	}
	if c.GradNoise == 0 {
		return nil
	}
	if !row.Velocity {
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("sampler %s has no kick whose noise could make room", row.Name),
			Try:     "sghmc or a thermostat"}
	}
	s, err := scheme.ParseSchedule(c.Schedule, c.Step, c.Steps())
	if err != nil {
		return &ConfigError{Setting: "step-schedule", Problem: err.Error()}
	}
	have, need := 2*c.Friction*c.Temperature, c.GradNoise*s.Max()
	if have < need {
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("the kick's noise 2DT = %g is less than the gradient's V̂h = %g",
				have, need),
			Try: setting.Sprintf("{friction} %g, or a smaller {step}",
				math.Ceil(need/(2*c.Temperature)))}
	}
	return nil
}
