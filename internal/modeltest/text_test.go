package modeltest

import (
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/source"
)

// Every function of every model, after every phase, prints and parses back.
func TestTextOfModels(t *testing.T) {
	texts := modelFiles(t)
	for name, text := range tricky {
		texts[name] = text
	}
	functions := 0
	for name, text := range texts {
		driver.Compile(source.New("model.sg", text), driver.Options{Set: narrow(text), Dump: func(phase, function, text string) {
			if phase == "ast" || phase == "plan" {
				return
			}
			functions++
			f, err := ir.Parse(ir.NewBuilder(), text)
			if err != nil {
				t.Errorf("%s, %s after %s: %v", name, function, phase, err)
			} else if again := f.String(); again != text {
				t.Errorf("%s, %s after %s: printed\n%s\nparsed and printed again\n%s", name,
					function, phase, text, again)
			}
		}})
	}
	if functions < 500 {
		t.Errorf("only %d functions", functions)
	}
}
