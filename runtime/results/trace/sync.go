package trace

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// SyncAll is Sync of several Appenders, of any stores of one file system, in the time of one.
//
// The order of writes that a loss of power relies on: SyncAll returns when the files of the draws,
// their directories, and the journals that list their digests are all durable, and the caller
// writes the checkpoints that count these draws after that. Within SyncAll there is no order: until
// a checkpoint counts them nothing relies on these files, and a file that an earlier checkpoint
// counts on was replaced by one that was durable before it got the name (piece.sync).
func SyncAll(all ...*Appender) error {
	var journals []*journal
	for _, a := range all {
		if err := a.Flush(); err != nil {
			return err
		}
		more, err := a.store.unsynced()
		if err != nil {
			return err
		}
		for _, j := range more {
			if !j.failed() { // one that failed is of a chain that goes on no more
				journals = append(journals, j)
			}
		}
		journals = append(journals, a.store.chain(a.chain))
	}
	if err := syncJournals(journals, false); err != nil {
		return err
	}
	for _, a := range all {
		a.durable = a.n
	}
	return nil
}

// Sync is Flush, and makes the files durable: every draw so far survives a loss of power. It must
// precede the write of a checkpoint.
func (a *Appender) Sync() error { return SyncAll(a) }

// Sync returns when all of the store is on the disk, so that it survives a loss of power.
func (s *Store) Sync() error {
	if s.plain {
		return s.syncPlain()
	}
	return syncJournals(s.journalsNamed(), true)
}

// SyncStores is Sync of stores of one file system, and then replaces checkpoints that count their
// draws, in the time of one Sync. A checkpoint gets its name after all of the stores is durable.
func SyncStores(stores []*Store, points ...Checkpoint) error {
	var journals []*journal
	for _, s := range stores {
		if s.plain {
			return s.syncEach(stores, points)
		}
		journals = append(journals, s.journalsNamed()...)
	}
	return syncJournals(journals, true, points...)
}

// syncEach is SyncStores where the store s has no journals.
func (s *Store) syncEach(stores []*Store, points []Checkpoint) error {
	for _, each := range stores {
		if err := each.Sync(); err != nil {
			return err
		}
	}
	return WriteCheckpoints(s.fs, points...)
}

func (s *Store) syncPlain() error { return disk.SyncFile(s.fs, s.path(consolidated)) }

// unsynced returns all journals of the store if files that all chains share are not durable yet,
// and else none: of a chain that has not begun there is a journal too. It waits for a sync of these
// files that goes on.
func (s *Store) unsynced() ([]*journal, error) {
	if s.plain {
		return nil, s.syncPlain()
	}
	s.shared.lock.Lock()
	clean := len(s.shared.dirs) == 0
	s.shared.lock.Unlock()
	if clean {
		return nil, nil
	}
	return s.journalsNamed(), nil
}

// journalsNamed returns all journals of the store. The next sync of them makes its name durable.
func (s *Store) journalsNamed() []*journal {
	all := []*journal{s.shared}
	for c := range s.chains {
		all = append(all, s.chain(c))
	}
	s.shared.lock.Lock()
	defer s.shared.lock.Unlock()
	s.shared.among(filepath.Dir(s.dir))
	return all
}

// syncJournals makes the files durable that were written since the last sync, and the journals. all
// includes the lazy ones. Then it replaces checkpoints, and journals by such with fewer lines: all
// files are durable, so their history is not needed any more.
func syncJournals(list []*journal, all bool, points ...Checkpoint) error {
	// one order for all who lock several
	slices.SortFunc(list, func(a, b *journal) int { return strings.Compare(a.path, b.path) })
	list = slices.Compact(list)
	return changeAll(list, func() error {
		var files, journals []string
		var long []*journal
		dirs := map[string]bool{}
		for _, j := range list {
			if all {
				for _, path := range j.lazy {
					j.touched(path, false, false)
				}
				j.lazy = nil
			}
			files = append(files, j.dirty...)
			maps.Copy(dirs, j.dirs)
			if !j.absent || !j.plain { // else no draw was counted yet
				journals = append(journals, j.path)
			}
			if !j.plain && (all || j.lines > 4*len(j.versions)+1024) {
				long = append(long, j)
			}
		}
		slices.Sort(files)
		files = append(slices.Compact(files), journals...)
		if err := rewriteAfter(long, list[0].fs, files, slices.Sorted(maps.Keys(dirs)),
			points); err != nil {
			return err
		}
		for _, j := range list {
			j.dirty = j.dirty[:0]
			clear(j.dirs)
		}
		return nil
	})
}
