package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
)

// Names of the files of a run directory.
const (
	recordName = "run.json"
	modelName  = "model.sg"
	drawsName  = "draws.zarr"
	warmupName = "warmup.zarr"
	logName    = "log.txt"
	logLikName = "log_likelihood.part"
	labelsName = "names.json"
	indexName  = "rows.index"
	pulseName  = ".sgppl-live.json"
	stopName   = ".sgppl-stop"
)

// PulseFile returns the path of the file in which the process of a run reports its progress. The
// file exists while the run goes on, and stays if its process is killed.
func PulseFile(dir string) string { return filepath.Join(dir, pulseName) }

// StopFile returns the path of the file by which another process asks the process of a run to stop.
func StopFile(dir string) string { return filepath.Join(dir, stopName) }

// IndexPath returns the path of the index of rows, for a run that streams its rows.
func IndexPath(dir string) string { return filepath.Join(dir, indexName) }

// Draws returns the path of the store of draws of a run.
func Draws(dir string) string { return filepath.Join(dir, drawsName) }

// LogLikPart returns the path of the temporary store of log likelihoods, whose groups are later
// moved into the store of draws.
func LogLikPart(dir string) string { return filepath.Join(dir, logLikName) }

// Hash returns the SHA-256 of the text of a model, in hexadecimal.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Read reads the record of a run from run.json. If dir is not a run directory, the error wraps
// ErrNoRun and suggests a run.
func Read(dir string) (*Record, error) { return ReadOn(files.OS, dir) }

// ReadOn is Read on the file system on.
func ReadOn(on files.FS, dir string) (*Record, error) {
	path := filepath.Join(dir, recordName)
	b, err := files.ReadFile(on, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noRun(dir)
	}
	if err != nil {
		if info, is := os.Stat(dir); is == nil && !info.IsDir() {
			return nil, noRun(dir)
		}
		return nil, fail(exitFiles, "%v", err)
	}
	r := &Record{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	if err := unseal(b, r.Digests != ""); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	r.Digest = "" // write makes it
	switch r.Status {
	case Running, Done, Interrupted, Failed:
	default:
		return nil, fail(exitFiles, "%s is damaged: its status is %q", path, r.Status)
	}
	return r, nil
}

// ReadModel returns the text of the model of a run. It returns an error if the text is not the
// recorded one.
func ReadModel(dir string, r *Record) (string, error) {
	path := filepath.Join(dir, modelName)
	b, err := files.ReadFile(files.OS, path)
	if err != nil {
		return "", fail(exitFiles, "%v", err)
	}
	if Hash(string(b)) != r.ModelHash {
		return "", fail(exitUsage,
			"%s is not the text that ran: it was changed since; put it back, or start a new run", path)
	}
	return string(b), nil
}

// Labels returns the names of the entries of dims, by dim; nil if the run has none.
func Labels(dir string, r *Record) (map[string][]string, error) {
	path := filepath.Join(dir, labelsName)
	b, err := files.ReadFile(files.OS, path)
	if errors.Is(err, fs.ErrNotExist) {
		if r.Files[labelsName] != "" {
			return nil, fail(exitFiles, "%s is gone", path)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	if err := r.once(labelsName, b); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	var names map[string][]string
	if err := json.Unmarshal(b, &names); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	return names, nil
}

// once checks the content b of a file that is written once against its digest in the record.
func (r *Record) once(name string, b []byte) error {
	if said := r.Files[name]; r.Digests != "" && said != digestOf(b) {
		return errors.New("it was changed or damaged since it was written: its digest does not fit")
	}
	return nil
}

// writeLabels writes names.json, which Labels reads.
func (r *Record) writeLabels(on files.FS, dir string) error {
	if len(r.Labels) == 0 {
		return nil
	}
	b, err := json.MarshalIndent(r.Labels, "", " ")
	if err != nil {
		return fail(exitFiles, "%s: %v", labelsName, err)
	}
	b = append(b, '\n')
	if r.Files == nil {
		r.Files = map[string]string{}
	}
	r.Files[labelsName] = digestOf(b)
	return disk(files.WriteFile(on, filepath.Join(dir, labelsName), b))
}

// write replaces run.json in one step.
func (r *Record) write(on files.FS, dir string) error { return r.writeAfter(on, dir, nil) }

// writeAfter is write after the names in directories are durable.
func (r *Record) writeAfter(on files.FS, dir string, dirs []string) error {
	c := *r
	if c.Digests != "" {
		c.Digest = noDigest
	} else {
		c.Digest = ""
	}
	var b []byte
	var err error
	if c.Digest != "" {
		b, err = seal(&c, "  ")
	} else if b, err = json.MarshalIndent(&c, "", "  "); err == nil {
		b = append(b, '\n')
	}
	if err != nil {
		return fail(exitFiles, "%s: %v", recordName, err)
	}
	return disk(files.StreamsAfter(on, nil, dirs,
		files.Whole(filepath.Join(dir, recordName), b)))
}

// logLine appends a line to log.txt. The log is for people to read, so errors of writing are
// ignored.
func logLine(on files.FS, dir string, now time.Time, format string, args ...any) {
	f, err := on.OpenFile(filepath.Join(dir, logName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return
	}
	text := strings.ReplaceAll(strings.TrimRight(fmt.Sprintf(format, args...), "\n"), "\n", "\n  ")
	fmt.Fprintf(f, "%s %s\n", now.Format(time.RFC3339), text)
	f.Close()
}
