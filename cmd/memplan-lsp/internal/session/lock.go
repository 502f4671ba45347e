package session

import (
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

// accepted is what the configuration's lock holds, under its present names, so that editors show the offsets that the command
// line plans. It is nil without a lock, and for one that cannot be read, which the command line reports.
func (l *Loaded) accepted() *plan.Plan {
	name := l.reader.target.name
	data, err := l.reader.ReadFile(plan.LockPath(name, name == "."))
	if err != nil {
		return nil
	}
	lock, _ := plan.Decode(data)
	was, _ := planner.Moved(l.Config, lock)
	return was
}
