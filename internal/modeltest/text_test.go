package modeltest

import (
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// A walked model is the outcome of compiling a text, which several tests look at.
type walked struct {
	*driver.Compiled // nil where the text does not compile
	diags            diag.List
	shown            []shown
	functions        int // how many texts were shown, the same ones too
}

// A shown is the text of a function after a phase.
type shown struct{ phase, function, text string }

var (
	walkedModels = map[string]*walked{}
	shownTexts   = map[string]bool{}
)

// walkModel compiles a text with small networks, once for all tests. The text of a function
// is kept at the first phase that gives it.
func walkModel(text string) *walked {
	if w := walkedModels[text]; w != nil {
		return w
	}
	w := &walked{}
	walkedModels[text] = w
	dump := func(phase, function, text string) {
		if phase == "ast" || phase == "plan" {
			return
		}
		if w.functions++; !shownTexts[text] {
			shownTexts[text] = true
			w.shown = append(w.shown, shown{phase, function, text})
		}
	}
	w.Compiled, w.diags = driver.Compile(source.New("model.sg", text),
		driver.Options{Set: narrow(text), Dump: dump})
	return w
}

// Every function of every model, after every phase, prints and parses back.
func TestTextOfModels(t *testing.T) {
	texts := modelFiles(t)
	for name, text := range tricky {
		texts[name] = text
	}
	functions := 0
	for name, text := range texts {
		w := walkModel(text)
		functions += w.functions
		for _, s := range w.shown {
			f, err := ir.Parse(ir.NewBuilder(), s.text)
			if err != nil {
				t.Errorf("%s, %s after %s: %v", name, s.function, s.phase, err)
			} else if again := f.String(); again != s.text {
				t.Errorf("%s, %s after %s: printed\n%s\nparsed and printed again\n%s", name,
					s.function, s.phase, s.text, again)
			}
		}
	}
	if functions < 500 {
		t.Errorf("only %d functions", functions)
	}
}
