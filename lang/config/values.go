package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// written is a block that was decoded, with the values that its expressions saw.
type written struct {
	*block
	scope *eval.Scope
	// module is the path of calls, "" for the root.
	module string
}

// WithValues returns the diagnostics with the expressions that they are about, where these use variables: a renderer can then
// show their values. Those that say more already are left as they are. Where one text makes several blocks, by for_each, by
// count or in a module that is called several times, the block is that of [diag.Diagnostic.Block]. It costs O(diagnostics ·
// attributes).
func (c *Config) WithValues(ds diag.Diagnostics) diag.Diagnostics {
	for i := range ds {
		if d := &ds[i]; d.Expression == nil && d.Subject != nil {
			if w, a := c.writtenAt(d); a != nil {
				w.explain(d, a)
			}
		}
	}
	return ds
}

// writtenAt finds the attribute that a diagnostic is about, nil when there is none or when it is not said which.
func (c *Config) writtenAt(d *diag.Diagnostic) (found *written, at *attribute) {
	for w := range c.allWritten {
		a := w.attributeAt(*d.Subject)
		if a == nil || found != nil && found.block == w.block || d.Block != "" && !w.isIn(d.Block) {
			continue
		}
		if found != nil {
			return nil, nil
		}
		found, at = w, a
	}
	return found, at
}

// allWritten goes through the blocks of the configuration and of its modules.
func (c *Config) allWritten(yield func(*written) bool) {
	for i := range c.evaluation.written {
		if !yield(&c.evaluation.written[i]) {
			return
		}
	}
	for _, m := range c.Modules {
		stopped := false
		m.Config.allWritten(func(w *written) bool {
			stopped = !yield(w)
			return !stopped
		})
		if stopped {
			return
		}
	}
}

// attributeAt returns the attribute whose value holds a range, nil when none does. The addresses of blocks are no values.
func (b *block) attributeAt(r hcl.Range) *attribute {
	for _, a := range b.order {
		if whole := a.expr.Range(); !a.broken && whole.Filename == r.Filename && whole.Start.Byte <= r.Start.Byte && r.End.Byte <= whole.End.Byte {
			if a.schema != nil && a.schema.Refers != "" {
				return nil
			}
			return a
		}
	}
	return nil
}

// isIn reports whether the block is the one of a full name, or is in it, as far as the instance goes.
func (w *written) isIn(name string) bool {
	key := ""
	if w.extra["each"] != cty.NilVal || w.extra["count"] != cty.NilVal {
		key = addr.KeyOf(instanceKey(w.block))
	}
	return (w.module == "" || strings.HasPrefix(name, w.module+".")) && strings.HasSuffix(name, key)
}

// explain gives a diagnostic the part of an attribute's expression that it is about.
func (w *written) explain(d *diag.Diagnostic, a *attribute) {
	expr := expressionAt(a.expr, *d.Subject)
	if len(expr.Variables()) > 0 {
		d.Expression, d.EvalContext = expr, w.scope.Context(a.refs, w.extra)
	}
}

// expressionAt returns the expression inside another that has just this range; the other one when there is none.
func expressionAt(whole hclsyntax.Expression, r hcl.Range) hclsyntax.Expression {
	found := whole
	_ = hclsyntax.VisitAll(whole, func(n hclsyntax.Node) hcl.Diagnostics {
		if expr, ok := n.(hclsyntax.Expression); ok && expr.Range() == r {
			found = expr
		}
		return nil
	})
	return found
}
