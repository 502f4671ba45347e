package view

import (
	"fmt"

	"github.com/memplan/memplan/planner/plan"
)

// orderText says what the order of execution reached, "" where the settings ask for the model's own.
func orderText(g *plan.Graph) string {
	o := g.Order
	if o == nil {
		return ""
	}
	order := "the model's own order"
	if o.Changed {
		order = "an order of its own"
	}
	proof := "no order is better with these views"
	if o.Live > o.Bound {
		proof = fmt.Sprintf("no order is below %s", bytesText(o.Bound))
	}
	return fmt.Sprintf("  %s: at most %s live at once, %s with the model's order and reshapes alone; %s", order, bytesText(o.Live), bytesText(o.Source), proof)
}
