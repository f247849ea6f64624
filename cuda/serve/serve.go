// Package serve answers requests for a device.
package serve

import (
	"encoding/gob"
	"errors"
	"io"

	"github.com/sgppl/sgppl/internal/device/wire"
)

// A Device is what runs jobs.
type Device interface {
	Load(job *wire.Job) error
	Write(w *wire.Write) error
	Play(p *wire.Play) error
	Read(r *wire.Read) ([]byte, error)
	Wait() error
	About() *wire.Device
}

// Serve answers requests until the input ends.
func Serve(in io.Reader, out io.Writer, open func() (Device, error)) error {
	from, to := gob.NewDecoder(in), gob.NewEncoder(out)
	var dev Device
	for {
		var q wire.Request
		if err := from.Decode(&q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		var r wire.Reply
		err := func() (err error) {
			if q.Version != wire.Version {
				return wire.Problemf(wire.Other, "sgppl asks by version %d of the protocol, and "+
					"this program knows %d: install both of one version", q.Version, wire.Version)
			}
			if q.Open != nil {
				if dev, err = open(); err != nil {
					return err
				}
				if q.Open.Job != nil {
					err = dev.Load(q.Open.Job)
				}
				r.Device = dev.About()
				return err
			}
			if dev == nil {
				return wire.Problemf(wire.Other, "no job is loaded")
			}
			r.Data, err = do(dev, q.Ops)
			return err
		}()
		if err != nil && !errors.As(err, &r.Problem) {
			r.Problem = wire.Problemf(wire.Other, "%v", err)
		}
		if err := to.Encode(&r); err != nil {
			return err
		}
	}
}

// do does what is asked for, in order, and waits if something is read.
func do(dev Device, ops []wire.Op) ([][]byte, error) {
	var data [][]byte
	for _, o := range ops {
		var err error
		switch {
		case o.Write != nil:
			err = dev.Write(o.Write)
		case o.Play != nil:
			err = dev.Play(o.Play)
		case o.Read != nil:
			var b []byte
			b, err = dev.Read(o.Read)
			data = append(data, b)
		}
		if err != nil {
			return nil, err
		}
	}
	if data == nil {
		return nil, nil
	}
	return data, dev.Wait()
}
