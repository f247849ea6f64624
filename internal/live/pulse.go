package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A Pulse writes views of a run into a file of its directory, and hears whether another
// process asks the run to stop. The file is not synced, and what cannot be written is left:
// nothing that lasts depends on it.
type Pulse struct {
	dir, id string
	number  int64
	host    string
}

// A beat is the content of the file.
type beat struct {
	ID      string `json:"id"`      // of the run
	Process int    `json:"process"` // its number
	Host    string `json:"host"`    // that it is on
	Number  int64  `json:"number"`  // of the beat, from 1
	View    *View  `json:"view"`
}

// NewPulse is that of the run with an ID in a directory.
func NewPulse(dir, id string) *Pulse {
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return &Pulse{dir: dir, id: id, host: host}
}

// Write writes a view.
func (p *Pulse) Write(v *View) {
	p.number++
	b, err := json.Marshal(beat{p.id, os.Getpid(), p.host, p.number, v})
	if err != nil {
		return
	}
	path := run.PulseFile(p.dir)
	temp := fmt.Sprintf("%s%s%d-0", path, disk.TempMark, os.Getpid())
	os.Remove(temp)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = system.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
}

// Asked reports whether another process asks the run to stop.
func (p *Pulse) Asked() bool {
	b, err := os.ReadFile(run.StopFile(p.dir))
	if err != nil {
		return false
	}
	os.Remove(run.StopFile(p.dir))
	return strings.TrimSpace(string(b)) == p.id
}

// Remove removes the files.
func (p *Pulse) Remove() {
	os.Remove(run.PulseFile(p.dir))
	os.Remove(run.StopFile(p.dir))
}

// Ask asks the process of a run to stop.
func Ask(dir, id string) error {
	return os.WriteFile(run.StopFile(dir), []byte(id+"\n"), 0o666)
}

// readBeat reads the pulse of the run with an ID.
func readBeat(dir, id string) (*beat, error) {
	b, err := os.ReadFile(run.PulseFile(dir))
	if err != nil {
		return nil, err
	}
	p, err := parseBeat(b)
	if err == nil && p.ID != id {
		return nil, os.ErrNotExist // of the run that was there before
	}
	return p, err
}

func parseBeat(text []byte) (*beat, error) {
	p := &beat{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, err
	}
	if p.View == nil {
		return nil, errors.New("there is no view")
	}
	return p, nil
}
