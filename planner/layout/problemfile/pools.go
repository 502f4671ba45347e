package problemfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
)

// PoolOption is a setting of one pool as command lines of TVM write it: -workspace-pools-NAME=POOL:VALUE.
type PoolOption struct {
	// Name is the part of the option's name that says what is set: "size-hint-bytes", "alignment", or "targets", which says who
	// reaches the pool and changes no placement.
	Name string
	// Text is the option's value, POOL:VALUE, several of them with commas between; of targets POOL:TARGET, several targets
	// with commas between.
	Text string
}

// DeclarePools reads the names of pools, with commas between, and their settings. Of repeated settings the last one
// counts. A size of -1 is none.
func DeclarePools(names string, options []PoolOption) ([]Pool, diag.Diagnostics) {
	var pools []Pool
	var ds diag.Diagnostics
	for _, name := range splitList(names) {
		switch {
		case name == "":
			ds = append(ds, diag.New(diag.SolvePoolOption, "-workspace-pools=%s names a pool without a name. Write names with commas between.", names))
		case slices.ContainsFunc(pools, func(p Pool) bool { return p.Name == name }):
			ds = append(ds, diag.New(diag.SolveDuplicate, "-workspace-pools=%s names the pool %q twice. Name it once.", names, name))
		default:
			pools = append(pools, Pool{name, layout.Pool{Capacity: layout.Unlimited, Alignment: 1}})
		}
	}
	for _, option := range options {
		settings := splitList(option.Text)
		if option.Name == "targets" {
			settings = []string{option.Text} // POOL:TARGET,TARGET
		}
		for _, setting := range settings {
			if err := option.set(pools, setting); err != nil {
				ds = append(ds, diag.New(diag.SolvePoolOption, "-workspace-pools-%s=%s %s", option.Name, setting, diag.Sentence(err)))
			}
		}
	}
	return pools, ds
}

func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// set applies one POOL:VALUE. The error reads on from the option.
func (o *PoolOption) set(pools []Pool, setting string) error {
	colon := strings.LastIndexByte(setting, ':')
	if colon < 0 {
		return fmt.Errorf("is not of the form POOL:VALUE. Name the pool, a colon and the value")
	}
	name, text := setting[:colon], setting[colon+1:]
	k := slices.IndexFunc(pools, func(p Pool) bool { return p.Name == name })
	if k < 0 {
		names := make([]string, len(pools))
		for i := range pools {
			names[i] = pools[i].Name
		}
		return fmt.Errorf("is for a pool that -workspace-pools does not declare.%s Declare it, or correct the name", diag.DidYouMean(name, names))
	}
	if o.Name == "targets" {
		if text == "" {
			return fmt.Errorf("names no target. Write targets with commas between")
		}
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("has the value %q, which is not a whole number below 2^63. Write decimal digits only", text)
	}
	switch {
	case o.Name == "size-hint-bytes" && n >= layout.Unlimited:
		pools[k].Capacity = n
	case o.Name == "alignment" && n >= 1:
		pools[k].Alignment = n
	default:
		return fmt.Errorf("has the value %d, which is too small. Give a size of 0 or more, -1 for none, and an alignment of 1 or more", n)
	}
	return nil
}
