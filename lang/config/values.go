package config

import (
	"cmp"
	"slices"
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
// count or in a module that is called several times, the block is that of [diag.Diagnostic.Block]. It costs O(attributes ·
// log attributes), and for each diagnostic O(log attributes + calls of its module).
func (c *Config) WithValues(ds diag.Diagnostics) diag.Diagnostics {
	var texts texts
	for i := range ds {
		if d := &ds[i]; d.Expression == nil && d.Subject != nil {
			if texts == nil {
				texts = c.texts()
			}
			if u := texts.find(d); u != nil {
				u.explain(d, u.attribute)
			}
		}
	}
	return ds
}

// texts are the values of attributes as texts of each file, in order of position. No two of a file overlap.
type texts map[string][]*text

// text is the half-open bytes of a value, with the attributes that it makes, by the key of the instance that they are in, in the
// order of their blocks.
type text struct {
	from, to int
	uses     map[string][]origin
	// first is one of the uses, several says that others are in other blocks.
	first   origin
	several bool
}

// origin is an attribute in a block.
type origin struct {
	*written
	attribute *attribute
}

// texts lists the values of all blocks.
func (c *Config) texts() texts {
	out, known := texts{}, map[hcl.Range]*text{}
	for w := range c.allWritten {
		for _, a := range w.order {
			if !a.isValue() {
				continue
			}
			r := a.expr.Range()
			t := known[r]
			if t == nil {
				t = &text{from: r.Start.Byte, to: r.End.Byte, uses: map[string][]origin{}, first: origin{w, a}}
				known[r] = t
				out[r.Filename] = append(out[r.Filename], t)
			}
			t.several = t.several || t.first.block != w.block
			t.uses[w.key()] = append(t.uses[w.key()], origin{w, a})
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b *text) int { return cmp.Compare(a.from, b.from) })
	}
	return out
}

// find returns the attribute that a diagnostic is about, nil when there is none or when it is not said which.
func (t texts) find(d *diag.Diagnostic) *origin {
	list := t[d.Subject.Filename]
	at, _ := slices.BinarySearchFunc(list, d.Subject.Start.Byte+1, func(t *text, from int) int { return cmp.Compare(t.from, from) })
	if at == 0 || list[at-1].to < d.Subject.End.Byte {
		return nil
	}
	value := list[at-1]
	if !value.several {
		if d.Block != "" && !value.first.isIn(d.Block) {
			return nil
		}
		return &value.first
	}
	if d.Block == "" {
		return nil
	}
	var found *origin
	for _, key := range []string{"", keyAtEnd(d.Block)} {
		for i, u := range value.uses[key] {
			switch {
			case found != nil && found.block == u.block || !u.isIn(d.Block):
			case found != nil:
				return nil
			default:
				found = &value.uses[key][i]
			}
		}
	}
	return found
}

// keyAtEnd is the key with which the name of an instance ends, "" where there is none. Quotes in keys have a backslash before them.
func keyAtEnd(name string) string {
	opening := "["
	if strings.HasSuffix(name, `"]`) {
		opening = `["`
	}
	if at := strings.LastIndex(name, opening); at >= 0 && strings.HasSuffix(name, "]") {
		return name[at:]
	}
	return ""
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

// key is that of the instance that the block is in, "" where it is in none.
func (w *written) key() string {
	if w.extra["each"] == cty.NilVal && w.extra["count"] == cty.NilVal {
		return ""
	}
	return addr.KeyOf(instanceKey(w.block))
}

// isIn reports whether the block is the one of a full name, or is in it, as far as the instance goes.
func (w *written) isIn(name string) bool {
	return (w.module == "" || strings.HasPrefix(name, w.module+".")) && strings.HasSuffix(name, w.key())
}

// attributeAt returns the attribute whose value holds a range, nil when none does.
func (b *block) attributeAt(r hcl.Range) *attribute {
	for _, a := range b.order {
		if whole := a.expr.Range(); a.isValue() && whole.Filename == r.Filename && whole.Start.Byte <= r.Start.Byte && r.End.Byte <= whole.End.Byte {
			return a
		}
	}
	return nil
}

// isValue reports whether the attribute's expression can be shown with its values: the addresses of blocks are none.
func (a *attribute) isValue() bool { return !a.broken && (a.schema == nil || a.schema.Refers == "") }

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
