package codegen_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/base/setting"
)

// TestOptions: messages name options that generated packages have. An option that no message
// names is one of a few.
func TestOptions(t *testing.T) {
	for _, c := range own(t) {
		if c.name != "levels" && c.name != "moving" {
			continue
		}
		var have []string
		for _, m := range regexp.MustCompile(`(?m)^func (With\w+)\(`).FindAllSubmatch(
			c.generate(t)["options.go"], -1) {
			have = append(have, string(m[1]))
		}
		named := map[string]bool{"WithProgress": true, "WithBlocks": true}
		for name, option := range setting.Options() {
			named[option] = true
			local := option == "WithLocals"
			goal := name == "target-ess" || name == "max-bias"
			if c.name == "levels" && !local && !slices.Contains(have, option) {
				t.Errorf("%s: messages name %s for %s, which is not there", c.name, option, name)
			}
			if c.name == "moving" && !goal && !slices.Contains(have, option) &&
				c.c.Spec.Chain != nil {
				t.Errorf("%s: messages name %s for %s, which is not there", c.name, option, name)
			}
		}
		for _, option := range have {
			if !named[option] {
				t.Errorf("no setting is named as %s", option)
			}
		}
	}
}
