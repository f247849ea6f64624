package settings

// NotOnDevice is the error of a setting with which a device takes no steps.
func NotOnDevice(problem string) error {
	return &coded{&ConfigError{Setting: "device", Problem: problem}, "S0111"}
}
