package scope

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

// subject is one tensor and what it may become.
type subject struct {
	facts TensorFacts
	// bytes are those of the dense elements in memory, which may be narrower than what facts says of them.
	bytes int64
	// rule is the index of the rule that matched, -1 when none did. asked is the scope that it gives, and asks says that it
	// gives one.
	rule  int
	asked label
	asks  bool
	// source says that no rule gives the scope and that the graph's source does. It is an order.
	source bool
	// wish says that the rule's scope may be denied at a cost of penalty bytes.
	wish    bool
	penalty int64
	// used is false for a tensor that nothing touches: it needs no memory.
	used bool
	// homes are the scopes that the tensor may be written in, copies those that it may be copied to.
	homes, copies set
	// because says for each texture scope out of homes why it is, "" when there is nothing to say.
	because [labels]string
	images  [labels]*texture.Geometry
}

// settle marks the tensor as one of flat memory.
func (s *subject) settle() { s.homes = onlyFlat }

// survey finds out for each tensor which rule speaks of it and which scopes are open to it.
func (d *decider) survey() {
	d.subjects = make([]subject, len(d.g.Tensors))
	for i := range d.g.Tensors {
		d.surveyTensor(graph.TensorID(i))
	}
}

// surveyTensor looks at one tensor. One that nothing uses meets no rule.
func (d *decider) surveyTensor(id graph.TensorID) {
	t, s := &d.g.Tensors[id], &d.subjects[id]
	s.rule, s.homes, s.copies = -1, onlyFlat, onlyFlat
	s.used = len(d.uses[id]) > 0 || d.input[id] || d.output[id] || t.Role == graph.State || t.Given != nil
	if !s.used {
		return
	}
	bytes, _ := t.Shape.Bytes(t.ComputeDType())
	s.bytes, _ = t.Shape.Bytes(t.DType)
	s.facts = TensorFacts{
		ID: id, Name: t.Name, Role: d.role(id), DType: t.ComputeDType(), Shape: t.Shape, Layout: t.Layout, Bytes: bytes, Rank: len(t.Shape),
	}
	for _, use := range d.uses[id] {
		if use.operand == "output" {
			s.facts.Producer = d.g.Ops[use.op].Name
		}
	}
	s.facts.Consumers = d.consumers(id)
	s.images = d.picture(id)
	d.match(s, d.uses[id])
	d.heedSource(s, t.Scope)
	if d.limits != nil {
		d.openImages(s, id)
	}
}

// heedSource takes the scope that the graph's source asks for, where no rule gave one, as an order.
func (d *decider) heedSource(s *subject, asked string) {
	if s.asks || asked == "" {
		return
	}
	name, ok := Canonical(asked)
	if !ok {
		d.diags = append(d.diags, diag.New(diag.UnknownScope, "The source of graph %q gives the tensor %q scope %q, and the scopes are %s.%s",
			d.r.GraphName, s.facts.Name, asked, diag.Quoted(Names()), diag.DidYouMean(asked, Names())))
		return
	}
	s.asked, _ = labelOf(name)
	s.asks, s.source = true, true
}

// consumers counts the ops that read a tensor.
func (d *decider) consumers(id graph.TensorID) int {
	n, last := 0, int32(-1)
	for _, use := range d.uses[id] {
		if use.operand != "output" && use.op != last {
			n, last = n+1, use.op
		}
	}
	return n
}

// match finds the first rule that matches, and what it says of the scope.
func (d *decider) match(s *subject, uses []touch) {
	if d.asksImages {
		s.facts.Images = sidesOf(&s.images)
	}
	for i := range d.r.Rules {
		rule := &d.r.Rules[i]
		if d.skip[i] {
			continue
		}
		matched, err := rule.matches(d.g, &s.facts, uses)
		if err != nil {
			d.skip[i] = true
			failed := diag.New(diag.RuleConditionFailed,
				"The condition of %s failed for the tensor %q: %s. Write it so that it holds or fails for every tensor that the match block lets through.", rule.Address, s.facts.Name, err)
			if rule.ConditionRange != nil {
				failed = failed.At(*rule.ConditionRange)
			}
			d.diags = append(d.diags, d.aboutRule(i, failed))
			continue
		}
		if matched {
			d.out.Decided[i] = true
			s.rule, s.asked, s.asks = i, d.scopes[i], rule.Scope != ""
			if rule.Penalty != nil {
				s.wish, s.penalty = s.asks, max(0, *rule.Penalty)
			}
			return
		}
	}
}

func sidesOf(images *[labels]*texture.Geometry) map[string]Sides {
	out := make(map[string]Sides, len(images))
	for l, g := range images {
		if g != nil {
			out[label(l).String()] = Sides{g.Width, g.Height}
		}
	}
	return out
}

// picture computes the images of a tensor, where anything may ask for them.
func (d *decider) picture(id graph.TensorID) (out [labels]*texture.Geometry) {
	if d.limits == nil && !d.asksImages {
		return out
	}
	for l := flat + 1; l < labels; l++ {
		if g, because := d.pack(id, l); because == "" {
			out[l] = &g
		}
	}
	return out
}

func (d *decider) pack(id graph.TensorID, l label) (texture.Geometry, string) {
	t := &d.g.Tensors[id]
	return texture.Pack(texture.Scope(l.String()), t.Shape, d.layouts[id], t.DType)
}

// openImages opens the texture scopes that the tensor can have on the device, and notes what closes the others.
func (d *decider) openImages(s *subject, id graph.TensorID) {
	for l := flat + 1; l < labels; l++ {
		if s.because[l] = d.notAnImage(s, id, l); s.because[l] != "" {
			continue
		}
		if len(d.byRole[graph.Activation].images) > 0 {
			s.copies |= one(l)
		}
		if s.because[l] = d.notHere(s, id); s.because[l] == "" {
			s.homes |= one(l)
		}
	}
	possible := s.homes &^ onlyFlat
	switch {
	case s.asks && !s.wish && s.homes.has(s.asked):
		s.homes = one(s.asked)
	case s.asks && !s.wish:
		s.settle()
	case d.output[id]:
		s.close("graph outputs are flat unless a rule without a penalty says otherwise")
	case !s.asks && len(d.uses[id]) == 0:
		s.settle()
	case possible != 0 && d.wantsImage(s, id):
		s.homes = possible
	}
}

// close leaves only flat memory and notes why.
func (s *subject) close(because string) {
	for l := flat + 1; l < labels; l++ {
		if s.homes.has(l) {
			s.because[l] = because
		}
	}
	s.settle()
}

// notAnImage says why a tensor cannot be an image on the device, "" when it can.
func (d *decider) notAnImage(s *subject, id graph.TensorID, l label) string {
	if because, ok := d.r.Forbidden[id]; ok {
		return because
	}
	if s.facts.Role == graph.State {
		return "state changes in place, and images do not"
	}
	if s.images[l] == nil {
		_, because := d.pack(id, l)
		return because
	}
	_, because := s.images[l].Fits(texture.Limits{MaxWidth: d.limits.MaxWidth, MaxHeight: d.limits.MaxHeight})
	return because
}

// notHere says why no pool takes the tensor as an image, "" when one does.
func (d *decider) notHere(s *subject, id graph.TensorID) string {
	pin, ok := d.r.Pins[id]
	if !ok {
		return d.noImagePool(s)
	}
	pool := &d.r.Pools[pin.Pool]
	if pool.Type == "flat" && (!pool.Images || !d.limits.FromBuffer) {
		return fmt.Sprintf("%s puts it into pool %s, which is flat", pin.Address, pool.Name)
	}
	return ""
}

// wantsImage reports whether the pin, or else the pools of the rule, hold images only.
func (d *decider) wantsImage(s *subject, id graph.TensorID) bool {
	if pin, ok := d.r.Pins[id]; ok {
		return d.r.Pools[pin.Pool].Type != "flat"
	}
	return s.rule >= 0 && d.r.Rules[s.rule].Pools != nil && len(d.byRule[s.rule].flat) == 0 && !s.asks
}
