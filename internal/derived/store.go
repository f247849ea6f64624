package derived

import (
	"errors"
	"path/filepath"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A keeper stores a value for every draw of a run, as a group of the run's store.
type keeper struct {
	group string // of the store
	holds string // the words for what the group holds
	flag  string // of the command line by which it was asked for, with a colon; may be empty

	dir    string
	record *run.Record
	draws  *session.RunDraws
	bound  *data.Bound
	sites  []driver.Predicted
}

// may refuses to store into a run that is not complete, or that holds such a group already.
func (k *keeper) may(force bool) error {
	if k.record.Status != run.Done {
		return session.Failf(session.ExitData,
			"%sthe run in %s is not complete (%s); go on with it first: sgppl sample "+
				"--resume %s", k.flag, k.dir, k.record.Status, k.dir)
	}
	store := k.draws.Store
	if store.Chains() != k.draws.Chains || store.Draws() != k.draws.Each {
		return session.Failf(session.ExitData, "the chains of %s have different numbers of draws",
			k.dir)
	}
	for _, v := range store.Variables() {
		if v.Group == k.group && !force {
			return session.Usagef("%s%s holds %s already, such as %s; "+
				"--force replaces them all", k.flag, k.dir, k.holds, v.Name)
		}
	}
	return nil
}

// save puts the values into the store of the run, in one step. draw gives the values of every draw,
// chain by chain.
func (k *keeper) save(
	e *session.Session, force bool, draw func(take func(session.Drawn, []float64) error) error,
) error {
	unlock, err := run.Lock(k.dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	defer unlock()
	on := disk.Or(e.Disk)
	store, err := trace.OpenOn(on, run.Draws(k.dir))
	if err != nil {
		return session.FilesError(err)
	}
	k.draws.Store = store
	if err := k.may(force); err != nil {
		return err
	}
	temp := filepath.Join(k.dir, k.group+".part")
	if err := disk.RemoveAll(on, temp); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	defer disk.RemoveAll(on, temp)
	part, err := k.fill(on, temp, draw)
	if err != nil {
		return err
	}
	return session.FilesError(store.Adopt(part, k.group))
}

// fill writes the values into a store of their own.
func (k *keeper) fill(
	on disk.FS, temp string, draw func(take func(session.Drawn, []float64) error) error,
) (*trace.Store, error) {
	var vars []trace.Variable
	for i := range k.sites {
		v := session.VariableOf(&k.sites[i])
		v.Group = k.group
		v.Label(k.bound.Labels)
		vars = append(vars, v)
	}
	part, err := trace.CreateOn(on, temp, vars, k.draws.Chains, k.draws.Each, k.record.Chunk,
		session.StoreAttrs(k.record))
	if err != nil {
		return nil, session.FilesError(err)
	}
	var to *trace.Appender
	n := 0
	err = draw(func(_ session.Drawn, x []float64) error {
		if n%k.draws.Each == 0 {
			if to != nil {
				if err := to.Close(); err != nil {
					return session.FilesError(err)
				}
			}
			if to, err = part.Appender(n/k.draws.Each, 0); err != nil {
				return session.FilesError(err)
			}
		}
		n++
		for i, s := range k.sites {
			to.Put(i, x[s.Offset:s.Offset+s.Len])
		}
		return session.FilesError(to.Next())
	})
	if to != nil {
		err = errors.Join(err, session.FilesError(to.Close()))
	}
	if err != nil {
		return nil, err
	}
	return part, session.FilesError(part.Close())
}
