package config

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// bytesOrNull is a number of bytes, null for the given stand-in of "unlimited" or "none".
func bytesOrNull(n, none int64) cty.Value {
	if n == none {
		return cty.NullVal(cty.Number)
	}
	return cty.NumberIntVal(n)
}

// deviceValue is the object that device.NAME gives.
func deviceValue(d *Device) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"address":        cty.StringVal(d.Address.String()),
		"name":           cty.StringVal(d.Name),
		"driver":         cty.StringVal(d.Driver),
		"base_alignment": cty.NumberIntVal(d.BaseAlignment),
		"max_alloc":      bytesOrNull(d.MaxAlloc, 0),
	})
}

// poolValue is the object that pool.NAME gives. Its planned values are unknown without facts.
func poolValue(p *Pool, facts *PoolFacts) cty.Value {
	fields := plainObject(p.Address).AsValueMap()
	fields["type"] = cty.StringVal(p.Type)
	fields["size"] = bytesOrNull(p.Size, Unlimited)
	fields["alignment"] = cty.NumberIntVal(p.Alignment)
	if facts != nil {
		fields["peak"] = cty.NumberIntVal(facts.Peak)
		fields["bound"] = cty.NumberIntVal(facts.Bound)
		fields["capacity"] = bytesOrNull(facts.Capacity, Unlimited)
		fields["used"] = cty.NumberIntVal(facts.Used)
		fields["optimality"] = cty.StringVal(facts.Optimality)
	}
	return cty.ObjectVal(fields)
}

// graphValue is the object that graph.NAME gives. Its tensors are unknown without facts.
func graphValue(a addr.Address, facts *GraphFacts) cty.Value {
	fields := plainObject(a).AsValueMap()
	if facts == nil {
		return cty.ObjectVal(fields)
	}
	tensors := make(map[string]cty.Value, len(facts.Tensors))
	for tensor, t := range facts.Tensors {
		tensors[tensor] = cty.ObjectVal(map[string]cty.Value{
			"scope": cty.StringVal(t.Scope), "pool": cty.StringVal(t.Pool), "offset": bytesOrNull(t.Offset, NoOffset),
			"size": cty.NumberIntVal(t.Size), "first": cty.NumberIntVal(t.First), "last": cty.NumberIntVal(t.Last),
			"producer": cty.StringVal(t.Producer),
		})
	}
	fields["tensor"] = cty.MapValEmpty(schema.PlannedTensor().Type())
	if len(tensors) > 0 {
		fields["tensor"] = cty.MapVal(tensors)
	}
	return cty.ObjectVal(fields)
}

// plainObject is the object of a block with its name, its planned values unknown and everything else still to be had.
func plainObject(a addr.Address) cty.Value {
	fields := map[string]cty.Value{}
	for _, field := range schema.ObjectOf(a.Kind).Fields {
		fields[field.Name] = eval.InvalidValue()
		if field.Planned {
			fields[field.Name] = eval.PlannedValue(field.Type, a.String()+"."+field.Name)
		}
	}
	fields["address"], fields["name"] = cty.StringVal(a.String()), cty.StringVal(a.FullName())
	return cty.ObjectVal(fields)
}
