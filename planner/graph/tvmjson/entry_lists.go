package tvmjson

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// entryLists reads the attributes of the graph, each a pair of a type and a list with an item for each entry. Unknown
// ones are skipped.
func (r *reader) entryLists(d *document) {
	at, ok := r.object("the attributes of the graph", func(name string, _ span) {
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
			r.skip()
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
			r.report(span{at.from, at.from + 1}, diag.TVMMissing, "The attributes of the graph have no list %q. Write the file again with TVM.", l.name)
		}
	}
}

// typedList reads [tag, [items...]].
func typedList[T any](r *reader, name, tag string, item func(r *reader, what string) T) list[T] {
	l := list[T]{name: name, items: []T{}}
	parts := 0
	at, ok := r.array(name, func(i int) {
		parts++
		switch i {
		case 0:
			if t, ok := r.text("the type of " + name); ok && t.value != tag {
				r.report(t.at, diag.TVMValue, "The type of %s is %s; it must be %q. Correct it.", name, quoted(t.value), tag)
			}
		case 1:
			r.array("the list of "+name, func(int) { l.items = append(l.items, item(r, "an entry of "+name)) })
		default:
			r.skip()
		}
	})
	if ok && parts != 2 {
		r.report(at, diag.TVMValue, "%s has %d parts. Give it its type and a list.", capital(name), parts)
	}
	l.at = at
	return l
}

func stringItem(r *reader, what string) text {
	t, _ := r.text(what)
	return t
}

func integerItem(r *reader, what string) number {
	n, _ := r.integer(what)
	return n
}

// shape reads the axes, outermost first. TVM plans no axis that is open.
func (r *reader) shape(string) graph.Shape {
	shape := graph.Shape{}
	r.array("a shape", func(int) {
		n, ok := r.integer("an axis of a shape")
		if ok && n.value < 0 {
			r.report(n.at, diag.TVMValue, "An axis of a shape has %d elements. Compile the model with fixed shapes: a TVM graph has no open ones.", n.value)
		}
		shape = append(shape, max(n.value, 0))
	})
	return shape
}
