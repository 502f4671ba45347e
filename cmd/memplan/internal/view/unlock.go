package view

import (
	"fmt"

	"github.com/memplan/memplan/planner/plan"
)

// Unlock shows that the right to write a lock was taken away.
type Unlock interface {
	Verb
	// Ask writes the question; the answer is read elsewhere. The holder is nil when it is not known.
	Ask(lock string, holder *plan.Holder)
	// Result shows who had the right; broken is false when nobody did.
	Result(lock string, holder *plan.Holder, broken bool)
}

// NewUnlock returns the renderer for people or the JSON one.
func NewUnlock(asJSON bool, term *Terminal, sources Sources) Unlock {
	if asJSON {
		return unlockJSON{document{term.Out, sources}}
	}
	return unlockHuman{human{term, sources}}
}

type unlockHuman struct{ human }

func (v unlockHuman) Ask(lock string, holder *plan.Holder) {
	v.print(fmt.Sprintf("%s is writing %s.\n%s Only \"yes\" takes the right to write away from it: ",
		holderText(holder), visible(lock), v.out().bold("Are you sure that it has ended?")))
}

func (v unlockHuman) Result(lock string, holder *plan.Holder, broken bool) {
	if !broken {
		v.print(fmt.Sprintf("Nobody is writing %s.\n", visible(lock)))
		return
	}
	v.print(fmt.Sprintf("%s %s may be written again. %s had it.\n", v.out().green("Unlocked:"), visible(lock), holderText(holder)))
}

func holderText(holder *plan.Holder) string {
	if holder == nil {
		return "Another memplan"
	}
	return visible(holder.String())
}

type unlockJSON struct{ document }

// Ask writes nothing: with JSON nobody is asked.
func (v unlockJSON) Ask(string, *plan.Holder) {}

// unlockDocument is the document of force-unlock.
type unlockDocument struct {
	report
	Lock     string       `json:"lock"`
	Unlocked bool         `json:"unlocked"`
	Holder   *plan.Holder `json:"holder"`
}

// Result writes the document.
func (v unlockJSON) Result(lock string, holder *plan.Holder, broken bool) {
	v.write(unlockDocument{reportOf(v.sources, nil), lock, broken, holder})
}
