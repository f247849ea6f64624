package pass

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// ofPasses begin the names of objects that are no files of a run directory.
var ofPasses = []string{"pass/", "chain/", "prepared/", "fleet/", "predictions/", "log_lik/"}

// FetchRun copies the run directory that a bucket holds into a directory of this machine:
// all but the objects of passes. run.json is written last.
func FetchRun(ctx context.Context, b *bucket.Bucket, dir string) error {
	if _, err := b.Stat(ctx, recordFile); err != nil {
		return err
	}
	list, err := b.List(ctx, "")
	if err != nil {
		return err
	}
	last := bucket.Object{Name: recordFile}
	for _, o := range append(list, last) {
		skip := o.Name == recordFile && o != last
		for _, prefix := range ofPasses {
			skip = skip || strings.HasPrefix(o.Name, prefix)
		}
		if skip || !filepath.IsLocal(filepath.FromSlash(o.Name)) {
			continue
		}
		text, err := b.Get(ctx, o.Name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(o.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
