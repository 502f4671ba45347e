package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
)

// Report explains what a pool needs.
type Report struct {
	Pool string
	// Constant says that nothing but constants is in it.
	Constant bool
	// Chain leads from the bytes of all tensors side by side to the peak of the plan.
	Chain []Link
	// Peaks are the first steps at which the most bytes are live, in order of time, and PeakCount how many there are; none in a pool
	// without lifetimes, and where graphs run at the same time.
	Peaks     []Peak
	PeakCount int64
	// Live are the largest tensors that are live at the first of them, LiveCount and LiveBytes say how much is in all.
	Live      []Live
	LiveCount int
	LiveBytes int64
	// SharedBytes are those that an operand and the result that is written over it from below have both; LiveBytes counts them once.
	SharedBytes int64
	// Remedies are settings with which the pool would need less, in the order in which they are tried; each was measured on its own,
	// and the last may be several at once.
	Remedies []Remedy
}

// Reports explains the peaks of the plan, pool by pool in the order of the plan. It lays the graphs out again with fewer and
// with more views, which costs several times what the plan did, and ends with an error when ctx does.
func (r *Result) Reports(ctx context.Context) ([]Report, error) {
	p := r.made
	links, err := p.savings(ctx)
	if err != nil {
		return nil, err
	}
	remedies, err := p.remedies(ctx)
	if err != nil {
		return nil, err
	}
	out, changes := make([]Report, len(p.pools)), p.changes()
	for pool := range out {
		out[pool] = Report{Pool: p.pools[pool].name, Constant: !changes[pool], Chain: links[pool], Remedies: remedies[pool]}
		m := p.peakMoments(pool)
		for _, at := range m.first {
			out[pool].Peaks = append(out[pool].Peaks, p.peakAt(at))
		}
		if out[pool].PeakCount = m.count; m.count > 0 {
			out[pool].Live, out[pool].LiveCount, out[pool].LiveBytes, out[pool].SharedBytes = p.liveAt(pool, m.first[0])
		}
	}
	return out, nil
}

// Remedy is a setting with which a pool would need less.
type Remedy struct {
	// Setting is the change, as it would stand in the configuration.
	Setting string
	// Bytes is the peak of the pool with it, Saved how many less that is than the plan's.
	Bytes, Saved int64
}

// untried are the changes of the settings that may lower peaks and have not been made.
func (p *pipeline) untried() []variant {
	var out []variant
	for _, view := range []string{"reshape", "inplace", "concat", Diagonal} {
		if slices.ContainsFunc(p.graphs, func(g *planned) bool {
			return g.mayHave(view) && !slices.Contains(p.cfg.Planner.ViewsOn(g.block.Device), view)
		}) {
			setting, change := p.addingView(view)
			v := p.variant(setting+" in planner", allViews, bySettings)
			v.more, v.settings = []string{view}, change
			out = append(out, v)
		}
	}
	if slices.ContainsFunc(p.graphs, func(g *planned) bool { return !p.ordered(g) && g.orderable() }) {
		v := p.variant(`order = "memory" in planner`, allViews, byMemory)
		v.settings = func(to *config.Planner) { to.Order = "memory" }
		out = append(out, v)
	}
	out = append(out, p.rewritings()...)
	for _, g := range p.graphs {
		if len(g.keep) > 0 {
			v := p.variant("no keep in "+g.block.Address.String(), allViews, bySettings)
			v.unkept, v.unkeep = g.block, func(g *planned) { g.keep = nil }
			out = append(out, v)
		}
		if g.keepInputs {
			v := p.variant("no keep_inputs in "+g.block.Address.String(), allViews, bySettings)
			v.unkept, v.unkeep = g.block, func(g *planned) { g.keepInputs = false }
			out = append(out, v)
		}
	}
	return out
}

// addingView is the setting with one more view and the change to it. Where graphs have different views by default, of which one list
// would change more than it adds, dots stand for them, and the change is nil.
func (p *pipeline) addingView(view string) (string, func(*config.Planner)) {
	now := p.cfg.Planner.ViewsOn(p.graphs[0].block.Device)
	if slices.ContainsFunc(p.graphs, func(g *planned) bool { return !slices.Equal(p.cfg.Planner.ViewsOn(g.block.Device), now) }) {
		return fmt.Sprintf("views = [..., %q]", view), nil
	}
	views := append(slices.Clone(now), view)
	return fmt.Sprintf("views = [%s]", quotedList(views)), func(to *config.Planner) { to.Views = slices.Clone(views) }
}

// mayHave reports whether a view has an effect on the graph's device.
func (g *planned) mayHave(view string) bool { return view != Diagonal || g.block.Device.KeepsOrder() }

// remedies measures the changes, and gives each pool those that lower its peak.
func (p *pipeline) remedies(ctx context.Context) ([][]Remedy, error) {
	out, now := make([][]Remedy, len(p.pools)), p.peaks()
	for _, v := range p.untried() {
		peaks, err := p.leastWith(ctx, v)
		if err != nil {
			return nil, err
		}
		for pool, bytes := range peaks {
			if bytes < now[pool] {
				out[pool] = append(out[pool], Remedy{v.name, bytes, now[pool] - bytes})
			}
		}
	}
	return out, p.together(ctx, out)
}

// together measures the views, the order and the rewrites that are missing and lower peaks, all at once, and adds them to the pools
// that need less so than with any one setting. What makes no difference is left out.
func (p *pipeline) together(ctx context.Context, out [][]Remedy) error {
	plain := []string{"reshape", "inplace", "concat"}
	added := p.addable(plain)
	if slices.ContainsFunc(p.graphs, func(g *planned) bool { return g.mayHave(Diagonal) }) {
		added = p.addable(append(slices.Clone(plain), Diagonal))
	}
	if len(added) < 2 {
		return nil
	}
	peaks, err := p.peaksAdding(ctx, added)
	if err != nil {
		return err
	}
	least, now := p.peaks(), p.peaks()
	for pool := range least {
		for _, r := range out[pool] {
			least[pool] = min(least[pool], r.Bytes)
		}
	}
	lower := func(pool int) bool { return peaks[pool] < least[pool] }
	if !slices.ContainsFunc(identity(len(peaks)), lower) {
		return nil
	}
	if added, err = p.needed(ctx, added, plain, peaks); err != nil {
		return err
	}
	for pool := range peaks {
		if lower(pool) {
			out[pool] = append(out[pool], Remedy{listOf(added) + " in planner", peaks[pool], now[pool] - peaks[pool]})
		}
	}
	return nil
}

// needed leaves out of settings what is not needed for the peaks that they lead to: the view "diagonal" where the plain views do, and
// whole settings.
func (p *pipeline) needed(ctx context.Context, added []addedSetting, plain []string, peaks []int64) ([]addedSetting, error) {
	same := func(fewer []addedSetting) bool {
		other, err := p.peaksAdding(ctx, fewer)
		return err == nil && slices.Equal(other, peaks)
	}
	if fewer := p.addable(plain); same(fewer) {
		added = fewer
	}
	for i := len(added) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(added), i, i+1); same(fewer) {
			added = fewer
		}
	}
	return added, ctx.Err()
}

// peaksAdding is what each pool needs with settings added.
func (p *pipeline) peaksAdding(ctx context.Context, added []addedSetting) ([]int64, error) {
	return p.replannedWith(ctx, func(planner *config.Planner) {
		for _, s := range added {
			s.add(planner)
		}
	})
}
