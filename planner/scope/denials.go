package scope

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// denial counts the tensors that did not get the scope of a rule.
type denial struct {
	tensors    int
	noFlatPool bool
}

// mostDenials is how many tensors a rule's denials name before the rest are counted only.
const mostDenials = 20

// excluded lists the scopes that a tensor was asked to have or could have had, and does not have.
func (d *decider) excluded(s *subject, id graph.TensorID, home label) []Exclusion {
	switch {
	case s.asks && !s.wish && s.asked == home:
		return nil
	case d.limits == nil && (!s.asks || s.asked == flat):
		return nil
	case d.limits == nil, s.asks && !s.wish:
		return []Exclusion{d.deny(s)}
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

// denySource notes that the scope that the source asks for is not possible and reports it, once on a device without images,
// else for each of the first tensors.
func (d *decider) denySource(s *subject) Exclusion {
	d.unheeded++
	out := Exclusion{Scope: s.asked.String(), Because: s.because[s.asked]}
	switch {
	case d.limits == nil:
		out.Because = fmt.Sprintf("device %s has no image2d", d.r.Device.Name)
		if d.unheeded == 1 {
			d.diags = append(d.diags, diag.New(diag.TextureUnavailable,
				"The source of graph %q asks for scope %q, first for the tensor %q, but device %q has no image2d block: its tensors stay in flat memory. Give the device an image2d block with its limits, or add a scope_rule with scope = \"global\".",
				d.r.GraphName, s.asked, s.facts.Name, d.r.Device.Name))
		}
	case d.unheeded <= mostDenials:
		d.diags = append(d.diags, diag.New(diag.TextureRefused,
			"The source of graph %q asks for scope %q for the tensor %q, which stays in flat memory: %s. Change what stands against it, or add a scope_rule that gives another scope.", d.r.GraphName, s.asked, s.facts.Name, out.Because))
	}
	return out
}

// reportSource counts the tensors that were not named.
func (d *decider) reportSource() {
	if more := d.unheeded - mostDenials; more > 0 && d.limits != nil {
		d.diags = append(d.diags, diag.New(diag.TextureRefused,
			"The source of graph %q asks for scopes for %d more tensors that stay in flat memory. Change what stands against it, or add a scope_rule that gives other scopes.", d.r.GraphName, more))
	}
}

// deny notes that a rule's scope is not possible and reports it: once for the rule on a device without images, else for
// each of the first tensors.
func (d *decider) deny(s *subject) Exclusion {
	if s.source {
		return d.denySource(s)
	}
	rule, count := &d.r.Rules[s.rule], &d.denials[s.rule]
	count.tensors++
	out := Exclusion{Scope: s.asked.String(), Because: s.because[s.asked]}
	if d.limits == nil {
		out.Because = fmt.Sprintf("device %s has no image2d", d.r.Device.Name)
		if count.tensors == 1 {
			d.diags = append(d.diags, d.aboutRule(s.rule, diag.New(diag.TextureUnavailable,
				"%s asks for scope %q, first for the tensor %q, but device %q has no image2d block: its tensors stay in flat memory. Give the device an image2d block with its limits, or the rule scope = \"global\".",
				rule.Address, s.asked, s.facts.Name, d.r.Device.Name)))
		}
		return out
	}
	if count.tensors <= mostDenials {
		d.diags = append(d.diags, d.aboutRule(s.rule, diag.New(diag.TextureRefused,
			"%s asks for scope %q for the tensor %q, which stays in flat memory: %s. Narrow the rule's match block, or change what stands against it.", rule.Address, s.asked, s.facts.Name, out.Because)))
	}
	return out
}

// reportDenials counts the tensors that were not named.
func (d *decider) reportDenials() {
	for i := range d.denials {
		if more := d.denials[i].tensors - mostDenials; more > 0 && d.limits != nil {
			d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.TextureRefused,
				"%s asks for scope %q for %d more tensors that stay in flat memory. Narrow the rule's match block.", d.r.Rules[i].Address, d.scopes[i], more)))
		}
	}
}
