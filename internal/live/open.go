package live

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
)

// Open shows an address in the browser: that of $BROWSER, or of the system.
func Open(url string, getenv func(string) string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	if own := strings.Fields(getenv("BROWSER")); len(own) > 0 {
		name, args = own[0], append(own[1:], url)
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New(name + " is not installed; BROWSER names another program")
		}
		return err
	}
	go c.Wait()
	return nil
}
