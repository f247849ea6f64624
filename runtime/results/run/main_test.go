package run

import (
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/scratch"
)

func TestMain(m *testing.M) { os.Exit(scratch.M{M: m}.Run()) }
