package export

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/memplan/memplan/planner/plan"
)

// poolWord is what tvmc can take for the name of a pool or a target: it splits its arguments at commas and colons.
var poolWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
})

// writeUSMP writes the flat pools that hold more than constants as arguments of tvmc, in order of declaration, which is
// that of preference: the names, the target that reaches each and, where it is limited, the capacity. tvmc has no
// arguments for pools of constants, and takes one alignment for all pools as an option of the executor.
func writeUSMP(w io.Writer, s *Subject, o *Options) error {
	pools := workspacePools(s)
	if len(pools) == 0 {
		return fmt.Errorf("it has no flat pool for anything but constants, and tvmc takes no other pools")
	}
	var names []string
	var settings bytes.Buffer
	for _, pool := range pools {
		if !poolWord().MatchString(pool.Name) {
			return fmt.Errorf("the name of the pool %q has characters with a meaning in arguments of tvmc", pool.Name)
		}
		names = append(names, pool.Name)
		target := o.Target
		if target == "" {
			target = targetOf(s.Plan, pool)
		}
		if !poolWord().MatchString(target) {
			return fmt.Errorf("the target %q is not a word that tvmc can take", target)
		}
		fmt.Fprintf(&settings, "--workspace-pools-targets=%s:%s\n", pool.Name, target)
		if pool.Capacity != nil {
			fmt.Fprintf(&settings, "--workspace-pools-size-hint-bytes=%s:%d\n", pool.Name, *pool.Capacity)
		}
	}
	_, err := fmt.Fprintf(w, "--workspace-pools=%s\n%s", strings.Join(names, ","), settings.String())
	return err
}

func workspacePools(s *Subject) (out []*plan.Pool) {
	for i := range s.Plan.Pools {
		pool := &s.Plan.Pools[i]
		constants := len(pool.Holds) > 0 && !slices.ContainsFunc(pool.Holds, func(role string) bool { return role != "constant" })
		if pool.Type == "flat" && !constants {
			out = append(out, pool)
		}
	}
	return out
}

func targetOf(p *plan.Plan, pool *plan.Pool) string {
	for i := range p.Devices {
		if p.Devices[i].Name == pool.Device && p.Devices[i].Driver == "opencl" {
			return "opencl"
		}
	}
	return "c"
}
