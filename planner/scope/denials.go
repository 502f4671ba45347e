package scope

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// denial counts the tensors that did not get the scope of a rule, or one that the source asks for.
type denial struct {
	tensors    int
	samples    []sample
	noFlatPool bool
}

// sample is one of them, with the reason.
// full names the pools without room for it, "" where that is not the reason.
type sample struct{ tensor, scope, because, full string }

// mostDenials is how many tensors one diagnostic names before the rest are counted only.
const mostDenials = 3

func (d *denial) add(s *subject, full string) {
	if d.tensors++; len(d.samples) < mostDenials {
		d.samples = append(d.samples, sample{s.facts.Name, s.asked.String(), s.because[s.asked], full})
	}
}

// remedy is what to do first about the samples: give them room where all lack it in the same pools.
func (d *denial) remedy(otherwise string) string {
	full := d.samples[0].full
	if full == "" || slices.ContainsFunc(d.samples, func(s sample) bool { return s.full != full }) {
		return otherwise
	}
	return "Raise the size of " + full
}

// list names the samples with the reasons, which are said once where they are all the same.
func (d *denial) list() string {
	same := true
	for _, s := range d.samples {
		same = same && s.because == d.samples[0].because
	}
	parts := make([]string, len(d.samples))
	for i, s := range d.samples {
		if parts[i] = fmt.Sprintf("%q", s.tensor); !same {
			parts[i] += " (" + s.because + ")"
		}
	}
	if same {
		return fmt.Sprintf("%s (%s)", diag.Enumerate(parts, "and"), d.samples[0].because)
	}
	return diag.Enumerate(parts, "and")
}

// excluded lists the scopes that a tensor was asked to have or could have had, and does not have.
func (d *decider) excluded(s *subject, id graph.TensorID, home label) []Exclusion {
	switch {
	case s.asks && !s.wish && s.asked == home:
		return nil
	case d.limits == nil && (!s.asks || s.asked == flat):
		return nil
	case d.limits == nil, s.asks && !s.wish:
		return []Exclusion{d.deny(s, id)}
	}
	var out []Exclusion
	for l := range labels {
		because := s.because[l]
		if s.homes.has(l) {
			because = d.passedOver(s, id, l, home)
		}
		if l != home && because != "" {
			out = append(out, Exclusion{Scope: l.String(), Because: because})
		}
	}
	return out
}

// passedOver says why the policy did not take a scope that was open.
func (d *decider) passedOver(s *subject, id graph.TensorID, l, home label) string {
	switch {
	case d.out.Policy == FlatPolicy:
		return "policy flat uses images only where rules ask for them"
	case d.out.Policy != MinCopy && d.solved.because[id] != "":
		return d.solved.because[id]
	case d.out.Policy != MinCopy:
		return fmt.Sprintf("%s chooses %s for the shape %s", d.out.Policy, home, s.facts.Shape)
	case s.wish && s.asked == l:
		return fmt.Sprintf("%s: the penalty of %d bytes is no more than the copies saved", MinCopy, s.penalty)
	}
	p := d.problem
	here, there := p.copiesOf(d.solved.solution, int32(id), home).size(), p.copiesOf(d.solved.solution, int32(id), l).size()
	return fmt.Sprintf("%s: its readers copy %d bytes now and would copy %d", MinCopy, int64(here)*s.bytes, int64(there)*s.bytes)
}

// denySource notes that the scope that the source asks for is not possible. On a device without images it reports that, once.
func (d *decider) denySource(s *subject, id graph.TensorID) Exclusion {
	d.unheeded.add(s, d.r.Full[id])
	if d.limits != nil {
		return Exclusion{Scope: s.asked.String(), Because: s.because[s.asked]}
	}
	if d.unheeded.tensors == 1 {
		d.diags = append(d.diags, diag.New(diag.TextureUnavailable,
			"The source of graph %q asks for scope %q, first for the tensor %q, but device %q has no image2d block: its tensors stay in flat memory. Give the device an image2d block with its limits, or add a scope_rule with scope = \"global\".",
			d.r.GraphName, s.asked, s.facts.Name, d.r.Device.Name))
	}
	return d.noImages(s)
}

func (d *decider) noImages(s *subject) Exclusion {
	return Exclusion{Scope: s.asked.String(), Because: fmt.Sprintf("device %s has no image2d", d.r.Device.Name)}
}

// reportSource reports the scopes of the source that tensors did not get, all at once.
func (d *decider) reportSource() {
	u := &d.unheeded
	if d.limits == nil || u.tensors == 0 {
		return
	}
	next := u.remedy("Change what stands against it") + ", or add a scope_rule that gives another scope."
	switch u.tensors {
	case 1:
		d.diags = append(d.diags, diag.New(diag.TextureRefused, "The source of graph %q asks for scope %q for the tensor %q, which stays in flat memory: %s. %s",
			d.r.GraphName, u.samples[0].scope, u.samples[0].tensor, u.samples[0].because, next))
	default:
		d.diags = append(d.diags, diag.New(diag.TextureRefused, "The source of graph %q asks for texture scopes for %d tensors that stay in flat memory, first for %s. %s",
			d.r.GraphName, u.tensors, u.list(), next))
	}
}

// deny notes that a rule's scope is not possible. On a device without images it reports that, once for the rule.
func (d *decider) deny(s *subject, id graph.TensorID) Exclusion {
	if s.source {
		return d.denySource(s, id)
	}
	rule, count := &d.r.Rules[s.rule], &d.denials[s.rule]
	count.add(s, d.r.Full[id])
	if d.limits != nil {
		return Exclusion{Scope: s.asked.String(), Because: s.because[s.asked]}
	}
	if count.tensors == 1 {
		d.diags = append(d.diags, d.aboutRule(s.rule, diag.New(diag.TextureUnavailable,
			"%s asks for scope %q, first for the tensor %q, but device %q has no image2d block: its tensors stay in flat memory. Give the device an image2d block with its limits, or the rule scope = \"global\".",
			rule.Address, s.asked, s.facts.Name, d.r.Device.Name)))
	}
	return d.noImages(s)
}

// reportDenials reports for each rule the tensors that did not get its scope, all at once.
func (d *decider) reportDenials() {
	for i := range d.denials {
		n := &d.denials[i]
		if d.limits == nil || n.tensors == 0 {
			continue
		}
		next := "Narrow the rule's match block, or change what stands against it."
		if raise := n.remedy(""); raise != "" {
			next = raise + ", or narrow the rule's match block."
		}
		said := diag.New(diag.TextureRefused, "%s asks for scope %q for %d tensors of graph %q that stay in flat memory, first for %s. %s",
			d.r.Rules[i].Address, d.scopes[i], n.tensors, d.r.GraphName, n.list(), next)
		if n.tensors == 1 {
			said = diag.New(diag.TextureRefused, "%s asks for scope %q for the tensor %q, which stays in flat memory: %s. %s",
				d.r.Rules[i].Address, d.scopes[i], n.samples[0].tensor, n.samples[0].because, next)
		}
		d.diags = append(d.diags, d.aboutRule(i, said))
	}
}
