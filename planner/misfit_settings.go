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
	if !p.overfull || p.advised || p.err != nil {
		return
	}
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.ID != diag.PoolTooSmall }) {
		return // no setting moves a pin
	}
	advice := p.oneSetting(ctx)
	if advice == "" && p.err == nil && ctx.Err() == nil {
		advice = p.allSettings(ctx)
	}
	for i := range diags {
		if diags[i].ID == diag.PoolTooSmall {
			diags[i].Detail += advice
		}
	}
}

// oneSetting is a sentence about the first setting with which everything fits, "" without one.
func (p *pipeline) oneSetting(ctx context.Context) string {
	for _, v := range p.untried() {
		if v.settings != nil {
			cfg := *p.cfg
			v.settings(&cfg.Planner)
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

// allSettings is a sentence about those views, orders and rewrites that together lower peaks, and are defaults where memplan runs
// the graph: that everything fits with them, or a lower size that is enough then. It is "" where they change nothing.
func (p *pipeline) allSettings(ctx context.Context) string {
	added := p.addable([]string{"reshape", "inplace", "concat"})
	best := p.with(ctx, added)
	if !best.fits && best.enough == 0 {
		return ""
	}
	for i := len(added) - 1; i >= 0; i-- { // what makes no difference is left out
		if fewer := slices.Delete(slices.Clone(added), i, i+1); p.with(ctx, fewer) == best {
			added = fewer
		}
	}
	if p.err != nil || ctx.Err() != nil {
		return ""
	}
	together := listOf(added) + " in planner"
	if best.fits {
		return fmt.Sprintf(" Everything fits with %s.", together)
	}
	return fmt.Sprintf(" With %s, %d bytes of pool %q are enough.", together, best.enough, p.pools[best.pool].name)
}

// outcome is what became of settings: whether everything fits, else the size of the one pool that is enough, 0 where that is
// no less than without them or several pools lack capacity.
type outcome struct {
	fits   bool
	pool   int
	enough int64
}

// with plans anew with settings added.
func (p *pipeline) with(ctx context.Context, added []addedSetting) (out outcome) {
	if len(added) == 0 || p.err != nil || ctx.Err() != nil {
		return out
	}
	cfg := *p.cfg
	for _, s := range added {
		s.add(&cfg.Planner)
	}
	q, diags := p.anew(ctx, &cfg)
	if p.err = q.err; p.err != nil || !diags.HasErrors() {
		return outcome{fits: p.err == nil}
	}
	if len(q.enough) == 1 && len(p.enough) == 1 {
		for pool, size := range q.enough {
			if now, same := p.enough[pool]; same && size < now {
				out = outcome{pool: pool, enough: size}
			}
		}
	}
	return out
}

// addedSetting is a setting that the configuration has not, with its name as it would stand there.
type addedSetting struct {
	name string
	add  func(*config.Planner)
}

func listOf(added []addedSetting) string {
	names := make([]string, len(added))
	for i, s := range added {
		names[i] = s.name
	}
	return diag.Enumerate(names, "and")
}

// addable are the settings that lower peaks and are missing for some graph, with the views that are wanted.
func (p *pipeline) addable(wantedViews []string) (out []addedSetting) {
	missing := func(on func(*config.Device) []string, wanted []string) bool {
		return slices.ContainsFunc(p.graphs, func(g *planned) bool {
			return slices.ContainsFunc(wanted, func(want string) bool { return !slices.Contains(on(g.block.Device), want) })
		})
	}
	now := &p.cfg.Planner
	if views := wider(wantedViews, now.Views); missing(now.ViewsOn, views) {
		out = append(out, addedSetting{fmt.Sprintf("views = [%s]", quotedList(views)), func(to *config.Planner) { to.Views = views }})
	}
	if rewrites := wider([]string{"fold", "fuse"}, now.Rewrite); missing(now.RewriteOn, rewrites) {
		out = append(out, addedSetting{fmt.Sprintf("rewrite = [%s]", quotedList(rewrites)), func(to *config.Planner) { to.Rewrite = rewrites }})
	}
	if missing(now.OrderOn, []string{"memory"}) {
		out = append(out, addedSetting{`order = "memory"`, func(to *config.Planner) { to.Order = "memory" }})
	}
	return out
}

// wider is a list with what another has besides.
func wider(list, other []string) []string {
	for _, more := range other {
		if !slices.Contains(list, more) {
			list = append(list, more)
		}
	}
	return list
}
