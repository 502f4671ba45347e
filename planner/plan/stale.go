package plan

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Stale compares a saved plan with what the same inputs plan now and with the lock that is there now (nil when there
// is none). It returns nothing while the saved plan is still good, and else one diagnostic that names all that moved.
func Stale(saved *Saved, now, lock *Plan) (diag.Diagnostics, error) {
	moved := ChangedInputs(&saved.Plan, now)
	digest := ""
	if lock != nil {
		var err error
		if digest, err = Digest(lock); err != nil {
			return nil, err
		}
	}
	if digest != saved.Saved.Lock && (lock == nil || !identical(lock, &saved.Plan)) {
		moved = append(moved, "the lock was written by another apply")
	}
	if len(moved) == 0 && !identical(&saved.Plan, now) {
		moved = append(moved, "this memplan places the same tensors differently")
	}
	if len(moved) == 0 {
		return nil, nil
	}
	return diag.Diagnostics{diag.New(diag.StalePlan,
		"Since the plan was saved, %s. Nothing was applied. Run \"memplan plan -out\" again and review the change.", strings.Join(moved, ", and "))}, nil
}

// ChangedInputs says in clauses, such as "the configuration changed", what two plans were made of differently. When it
// gives none, the same memplan made both of the same files and settings.
func ChangedInputs(old, now *Plan) []string {
	var moved []string
	if old.MemplanVersion != now.MemplanVersion {
		moved = append(moved, fmt.Sprintf("memplan changed from version %s to %s", old.MemplanVersion, now.MemplanVersion))
	}
	if old.FormatVersion != now.FormatVersion {
		moved = append(moved, fmt.Sprintf("the format of plans changed from version %s to %s", old.FormatVersion, now.FormatVersion))
	}
	if old.ConfigDigest != now.ConfigDigest {
		moved = append(moved, configurationChange(old, now))
	}
	for _, name := range changedSettings(old, now) {
		moved = append(moved, fmt.Sprintf("the setting %s changed from %s to %s", name, settingText(old, name), settingText(now, name)))
	}
	before := map[string]Graph{}
	for _, g := range old.Graphs {
		before[g.Name] = g
	}
	for _, g := range now.Graphs {
		if was, known := before[g.Name]; known && was.Digest != g.Digest {
			moved = append(moved, fmt.Sprintf("the graph file %s changed", g.Source))
		}
	}
	return moved
}

func settingText(p *Plan, name string) string {
	s, ok := p.Settings[name]
	if !ok {
		return "nothing"
	}
	return fmt.Sprint(s.Value)
}
