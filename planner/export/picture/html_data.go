package picture

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/memplan/memplan/planner/explain"
	"github.com/memplan/memplan/planner/plan"
)

// pageData is what the script of the page reads. Lists stand for objects where there are many of them.
type pageData struct {
	Title string `json:"title"`
	// Plans are the plan, or the old one and the new one.
	Plans []planData `json:"plans"`
	// Labels are those of the facts of explanations.
	Labels []string `json:"labels"`
	Roles  []swatch `json:"roles"`
	Scopes []swatch `json:"scopes"`
	// Changes are empty for one plan.
	Changes []swatch `json:"changes"`
}

type planData struct {
	Name    string      `json:"name"`
	Pools   []poolData  `json:"pools"`
	Graphs  []graphData `json:"graphs"`
	Storage []storeData `json:"storages"`
	Note    string      `json:"note"`
}

// poolData is a pool. Bytes are floats in the script, exact up to 2^53; the texts of explanations are exact.
type poolData struct {
	Name     string `json:"name"`
	Device   string `json:"device"`
	Type     string `json:"type"`
	Facts    string `json:"facts"`
	Capacity *int64 `json:"capacity"`
	Bound    int64  `json:"bound"`
	Peak     int64  `json:"peak"`
	Graph    string `json:"peakGraph"`
	Step     *int64 `json:"peakStep"`
}

type storeData struct {
	ID     int64  `json:"id"`
	Pool   string `json:"pool"`
	Width  int64  `json:"width"`
	Height int64  `json:"height"`
	Texel  string `json:"texel"`
	Size   int64  `json:"size"`
}

type graphData struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	// Steps are the ops' kinds and names.
	Steps   [][2]string  `json:"steps"`
	Tensors []tensorData `json:"tensors"`
	// index finds tensors by name.
	index map[string]int
}

// tensorData is a tensor. Its JSON is a list: name, index of role, scope, pool's name, storage, offset or null, size,
// first, last, flags, width, height, change, facts and, where gaps free some bytes at times, the pieces that are left, each as
// first, last, from, to.
type tensorData struct {
	t      *plan.Tensor
	flags  int
	width  int64
	height int64
	zone   int64
	change string
	facts  [][]any
}

// The flags of a tensor in the page's data.
const (
	flagView = 1 << iota
	flagCopy
	flagPinned
	flagSpilled
)

// MarshalJSON writes the list.
func (d tensorData) MarshalJSON() ([]byte, error) {
	t := d.t
	row := []any{t.Name, t.Role, t.Scope, t.Pool, t.Storage, t.Offset, t.Size, t.First, t.Last, d.flags, d.width, d.height, d.change, d.facts}
	if len(t.Gaps) > 0 || t.Rows != nil {
		var pieces [][4]int64
		for _, p := range (&tile{Tensor: t, zone: d.zone}).pieces() {
			pieces = append(pieces, [4]int64{p.First, p.Last, p.From, p.To})
		}
		row = append(row, pieces)
	}
	return json.Marshal(row)
}

// newPageData costs what explaining all tensors costs.
func newPageData(s *Subject) *pageData {
	out := &pageData{Title: graphNames(s.graphs(s.Plan)), Roles: roleSwatches, Scopes: scopeSwatches, Changes: []swatch{}}
	labels := map[string]int{}
	var changes map[changed]plan.ChangeKind
	if s.Old != nil {
		changes = map[changed]plan.ChangeKind{}
		for _, c := range plan.Diff(s.Old, s.Plan).Tensors {
			changes[changed{c.Graph, c.Tensor}] = c.Kind
		}
		out.Changes = changeSwatches
		out.Plans = append(out.Plans, s.planData(s.Old, s.OldName, out, labels, changes))
	}
	name := "plan"
	if s.Old != nil {
		name = "this plan"
	}
	out.Plans = append(out.Plans, s.planData(s.Plan, name, out, labels, changes))
	return out
}

// changed names a tensor of a graph.
type changed struct{ graph, tensor string }

func (s *Subject) planData(p *plan.Plan, name string, out *pageData, labels map[string]int, changes map[changed]plan.ChangeKind) planData {
	data := planData{Name: name, Pools: []poolData{}, Graphs: []graphData{}, Storage: []storeData{}}
	if p.Interrupted {
		data.Note = "The search was stopped before its end: the same input may give another plan."
	}
	for i := range p.Pools {
		pool := &p.Pools[i]
		data.Pools = append(data.Pools, poolData{pool.Name, pool.Device, pool.Type, poolFacts(pool), pool.Capacity, pool.Bound, pool.Peak, pool.PeakGraph, pool.PeakStep})
	}
	for i := range p.Storages {
		if st := &p.Storages[i]; st.Width > 0 {
			data.Storage = append(data.Storage, storeData{st.ID, st.Pool, st.Width, st.Height, st.Texel, st.Size})
		}
	}
	for _, g := range s.graphs(p) {
		data.Graphs = append(data.Graphs, newGraphData(g, changes))
	}
	at := map[string]int{}
	for i := range data.Graphs {
		at[data.Graphs[i].Name] = i
	}
	explain.Each(p, func(graph, tensor int, e *explain.Explanation) {
		if i, ok := at[p.Graphs[graph].Name]; ok {
			data.Graphs[i].Tensors[tensor].facts = data.factsOf(data.Graphs[i].Tensors[tensor].t, e, i, out, labels)
		}
	})
	return data
}

func newGraphData(g *plan.Graph, changes map[changed]plan.ChangeKind) graphData {
	data := graphData{Name: g.Name, Source: g.Source, Steps: make([][2]string, len(g.Steps)), Tensors: make([]tensorData, len(g.Tensors)), index: make(map[string]int, len(g.Tensors))}
	for i := range g.Steps {
		data.Steps[i] = [2]string{g.Steps[i].Op, g.Steps[i].Name}
	}
	copied, zones := map[string]bool{}, zonesOf(g)
	for i := range g.Copies {
		copied[g.Copies[i].To] = true
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		one := tensorData{t: t, zone: zones[t.Name], change: string(changes[changed{g.Name, t.Name}])}
		one.width, one.height = texels(t)
		for flag, set := range map[int]bool{flagView: t.ViewOf != nil, flagCopy: copied[t.Name], flagPinned: t.Reason.Pinned != nil, flagSpilled: t.Reason.Spill != nil} {
			if set {
				one.flags |= flag
			}
		}
		data.Tensors[i] = one
		data.index[t.Name] = i
	}
	return data
}

// factsOf are the facts of an explanation: the index of a label and the lines. A line about a tensor of the same graph with
// some of the same bytes is the index of that tensor where the script can write it, for there are many of them.
func (d *planData) factsOf(t *plan.Tensor, e *explain.Explanation, g int, out *pageData, labels map[string]int) (facts [][]any) {
	for _, f := range e.Facts() {
		at, known := labels[f.Label]
		if !known {
			at = len(out.Labels)
			labels[f.Label] = at
			out.Labels = append(out.Labels, f.Label)
		}
		row := []any{at}
		for i, line := range f.Lines {
			if f.Label == "shares with" && i < len(e.Sharers) {
				if other, ok := d.Graphs[g].index[e.Sharers[i].Tensor]; ok && d.sharedLine(t, g, other) == line {
					row = append(row, other)
					continue
				}
			}
			row = append(row, line)
		}
		facts = append(facts, row)
	}
	return facts
}

// sharedLine is what the script writes for a tensor that shares bytes with t, "" where its numbers would not be exact or its
// quotes not be right.
func (d *planData) sharedLine(t *plan.Tensor, g, other int) string {
	const exact = 1 << 53
	o := d.Graphs[g].Tensors[other].t
	if strconv.Quote(o.Name) != `"`+o.Name+`"` || o.First < -exact || o.Last > exact {
		return ""
	}
	line := fmt.Sprintf("\"%s\", live [%d, %d): ", o.Name, o.First, o.Last)
	if t.Offset == nil || o.Offset == nil {
		return line + "the image"
	}
	if *t.Offset+t.Size > exact || *o.Offset+o.Size > exact {
		return ""
	}
	return line + fmt.Sprintf("bytes [%d, %d)", max(*t.Offset, *o.Offset), min(*t.Offset+t.Size, *o.Offset+o.Size))
}
