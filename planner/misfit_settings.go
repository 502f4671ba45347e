package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
)

// adviseSettings adds to what is said of capacities a setting with which everything was seen to fit, if one was; else what
// all settings that lower peaks were seen to do together. It costs as much as planning did, for each setting.
func (p *pipeline) adviseSettings(ctx context.Context, diags diag.Diagnostics) {
	if p.advised || slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.ID != diag.PoolTooSmall }) {
		return // no setting moves a pin
	}
	advice := p.oneSetting(ctx)
	if advice == "" && p.err == nil && ctx.Err() == nil {
		advice = p.allSettings(ctx)
	}
	for i := range diags {
		diags[i].Detail += advice
	}
}

// oneSetting is a sentence about the first setting with which everything fits, "" without one.
func (p *pipeline) oneSetting(ctx context.Context) string {
	for _, v := range p.untried() {
		if v.rewrites != nil {
			cfg := *p.cfg
			cfg.Planner.Rewrite = v.rewrites
			if q, diags := p.anew(ctx, &cfg); q.err == nil && !q.overfull && !diags.HasErrors() && ctx.Err() == nil {
				return fmt.Sprintf(" Everything fits with %s.", v.name)
			}
			continue
		}
		q := p.clone()
		for _, g := range q.graphs {
			if p.err = v.apply(ctx, q, g); p.err != nil {
				return ""
			}
		}
		if ds := q.placeOnce(ctx); q.err != nil || q.overfull || ds.HasErrors() || ctx.Err() != nil {
			continue // what the setting makes impossible is no advice
		}
		return fmt.Sprintf(" Everything fits with %s.", v.name)
	}
	return ""
}

// allSettings is a sentence about all of the views, orders and rewrites that lower peaks and are defaults where memplan runs the
// graph: that everything fits with them, or a lower size that is enough then. It is "" where they change nothing.
func (p *pipeline) allSettings(ctx context.Context) string {
	cfg := *p.cfg
	added := p.addSettings(&cfg.Planner)
	if len(added) == 0 {
		return ""
	}
	q, diags := p.anew(ctx, &cfg)
	names := diag.Enumerate(added, "and") + " in planner"
	switch {
	case q.err != nil || ctx.Err() != nil:
		p.err = q.err
		return ""
	case !diags.HasErrors():
		return fmt.Sprintf(" Everything fits with %s.", names)
	case len(q.enough) != 1 || len(p.enough) != 1:
		return ""
	}
	for pool, size := range q.enough {
		if now, same := p.enough[pool]; same && size < now {
			return fmt.Sprintf(" With %s, %d bytes of pool %q are enough.", names, size, p.pools[pool].name)
		}
	}
	return ""
}

// addSettings puts what is missing into the settings, and lists what it put there as it would stand in the configuration.
func (p *pipeline) addSettings(to *config.Planner) (added []string) {
	missing := func(on func(*config.Device) []string, want string) bool {
		return slices.ContainsFunc(p.graphs, func(g *planned) bool { return !slices.Contains(on(g.block.Device), want) })
	}
	for _, setting := range []struct {
		name string
		on   func(*config.Device) []string
		list *[]string
		want []string
	}{
		{"views", p.cfg.Planner.ViewsOn, &to.Views, []string{"reshape", "inplace", "concat"}},
		{"rewrite", p.cfg.Planner.RewriteOn, &to.Rewrite, []string{"fold", "fuse"}},
	} {
		if !slices.ContainsFunc(setting.want, func(want string) bool { return missing(setting.on, want) }) {
			continue
		}
		for _, more := range *setting.list {
			if !slices.Contains(setting.want, more) {
				setting.want = append(setting.want, more)
			}
		}
		*setting.list = setting.want
		added = append(added, fmt.Sprintf("%s = [%s]", setting.name, quotedList(setting.want)))
	}
	if missing(p.cfg.Planner.OrderOn, "memory") {
		to.Order = "memory"
		added = append(added, `order = "memory"`)
	}
	return added
}
