package tvmjson

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// entryLists reads the attributes of the graph, each a pair of a type and a list with an item for each entry. Unknown
// ones are skipped.
func (r *reader) entryLists(d *document) {
	at, ok := r.Object("the attributes of the graph", func(name string, _ jsontext.Span) {
		switch name {
		case "shape":
			d.shapes = typedList(r, name, "list_shape", (*reader).shape)
		case "dltype":
			d.dtypes = typedList(r, name, "list_str", stringItem)
		case "storage_scope":
			d.scopes = typedList(r, name, "list_str", stringItem)
		case "storage_id", "device_index", "offset":
			d.unread = append(d.unread, typedList(r, name, "list_int", integerItem))
		default:
			r.Skip()
		}
	})
	if !ok {
		return
	}
	for _, l := range []struct {
		name  string
		given bool
	}{{"shape", d.shapes.given()}, {"dltype", d.dtypes.given()}} {
		if !l.given {
			r.Report(at.Start(), diag.TVMMissing, "The attributes of the graph have no list %q. Write the file again with TVM.", l.name)
		}
	}
}

// typedList reads [tag, [items...]].
func typedList[T any](r *reader, name, tag string, item func(r *reader, what string) T) list[T] {
	l := list[T]{name: name, items: []T{}}
	parts := 0
	at, ok := r.Array(name, func(i int) {
		parts++
		switch i {
		case 0:
			if t, ok := r.Text("the type of " + name); ok && t.Value != tag {
				r.Report(t.At, diag.TVMValue, "The type of %s is %s; it must be %q. Correct it.", name, jsontext.Quoted(t.Value), tag)
			}
		case 1:
			r.Array("the list of "+name, func(int) { l.items = append(l.items, item(r, "an entry of "+name)) })
		default:
			r.Skip()
		}
	})
	if ok && parts != 2 {
		r.Report(at, diag.TVMValue, "%s has %d parts. Give it its type and a list.", jsontext.Capital(name), parts)
	}
	l.at = at
	return l
}

func stringItem(r *reader, what string) jsontext.Text {
	t, _ := r.Text(what)
	return t
}

func integerItem(r *reader, what string) jsontext.Number {
	n, _ := r.Integer(what)
	return n
}

// shape reads the axes, outermost first. TVM plans no axis that is open.
func (r *reader) shape(string) graph.Shape {
	shape := graph.Shape{}
	r.Array("a shape", func(int) {
		n, ok := r.Integer("an axis of a shape")
		if ok && n.Value < 0 {
			r.Report(n.At, diag.TVMValue, "An axis of a shape has %d elements. Compile the model with fixed shapes: a TVM graph has no open ones.", n.Value)
		}
		shape = append(shape, max(n.Value, 0))
	})
	return shape
}
