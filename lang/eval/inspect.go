package eval

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
)

// Inspector finds what expressions refer to, and what is wrong with that before anything is evaluated.
type Inspector struct {
	names     Names
	functions []string
	known     map[string]function.Function
	// outputs lists those of each module that could be read.
	outputs map[string][]string
}

// Names are the names that expressions may refer to.
type Names interface {
	// Declared reports whether there is a block, variable or local value of an address, and for how many a block stands.
	Declared(addr.Address) (Repetition, bool)
	// Names lists those of a kind in order, for suggestions.
	Names(addr.Kind) []string
}

// NewInspector returns an inspector for names, with the outputs of modules by the module's name.
func NewInspector(names Names, functions map[string]function.Function, outputs map[string][]string) *Inspector {
	return &Inspector{names: names, functions: slices.Sorted(maps.Keys(functions)), known: functions, outputs: outputs}
}

// Inspect lists the references in the expression, in order of position, and its static faults: references to nothing,
// fields that do not exist and unknown functions. The objects are further names that the expression sees, such as
// tensor and op in a rule's condition.
func (in *Inspector) Inspect(expr hclsyntax.Expression, objects []*schema.Object) ([]addr.Reference, diag.Diagnostics) {
	if isLiteral(expr) {
		return nil, nil
	}
	ds := in.checkFunctions(expr)
	var refs []addr.Reference
	for _, t := range expr.Variables() {
		if object := objectNamed(objects, t.RootName()); object != nil {
			ds = append(ds, checkField(object, t[1:], t.SourceRange())...)
			continue
		}
		ref, found := addr.Parse(t, objectNames(objects)...)
		if len(found) == 0 {
			ref, found = in.keyed(ref)
			refs = append(refs, ref)
		}
		if len(found) == 0 {
			found = in.checkReference(ref)
		}
		ds = append(ds, found...)
	}
	return refs, ds
}

func isLiteral(expr hclsyntax.Expression) bool {
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.TemplateExpr:
		return expr.IsStringLiteral()
	}
	return false
}

func objectNamed(objects []*schema.Object, name string) *schema.Object {
	for _, object := range objects {
		if object.Name == name {
			return object
		}
	}
	return nil
}

func objectNames(objects []*schema.Object) []string {
	names := make([]string, len(objects))
	for i, object := range objects {
		names[i] = object.Name
	}
	return names
}

func (in *Inspector) checkReference(ref addr.Reference) diag.Diagnostics {
	if ref.Address.Kind == addr.Path {
		if ref.Address.Name != "module" {
			return diag.Diagnostics{diag.New(diag.UndeclaredReference, "There is no %s. Write path.module.", ref.Address).With(diag.Replace{With: "path.module"}).At(ref.Range)}
		}
		return nil
	}
	how, ok := in.names.Declared(ref.Address)
	if !ok {
		return diag.Diagnostics{undeclared(ref, in.names.Names(ref.Address.Kind)).At(ref.Range)}
	}
	if how != Once && ref.Instance == "" {
		return nil
	}
	if ref.Address.Kind == addr.Module {
		return in.checkOutput(ref)
	}
	object := schema.ObjectOf(ref.Address.Kind)
	if object == nil {
		return nil
	}
	return checkField(object, ref.Rest, ref.Whole)
}

// keyed takes the step after a block with for_each or count for the key of an instance, and checks that there is one when
// a field follows, and none after other blocks.
func (in *Inspector) keyed(ref addr.Reference) (addr.Reference, diag.Diagnostics) {
	how, _ := in.names.Declared(ref.Address)
	if len(ref.Rest) == 0 {
		return ref, nil
	}
	if how == Once {
		if index, ok := ref.Rest[0].(hcl.TraverseIndex); ok && index.Key.Type() == cty.Number && schema.ObjectOf(ref.Address.Kind) != nil {
			return ref, diag.Diagnostics{diag.New(diag.InvalidInstanceKey, "%s is one block, without count. Remove the index.", ref.Address).At(index.SrcRange)}
		}
		return ref, nil
	}
	with, ok := ref.Keyed()
	isNumber := ok && !strings.HasPrefix(with.Instance, `["`)
	_, dotted := ref.Rest[0].(hcl.TraverseAttr)
	switch {
	case !ok:
		return ref, nil // an index that says nothing before evaluation
	case how == Counted && !isNumber:
		return ref, diag.Diagnostics{diag.New(diag.InvalidInstanceKey, "%s has count, so that an instance of it has a number. Write it as in %s[0], or %s[*] for all of them.", ref.Address, ref.Address, ref.Address).At(ref.Whole)}
	case how == Keyed && isNumber:
		return ref, diag.Diagnostics{diag.New(diag.InvalidInstanceKey, "%s has for_each, so that an instance of it has a key in quotes. Write it as in %s[\"KEY\"].", ref.Address, ref.Address).At(ref.Whole)}
	case how == Keyed && dotted && in.isField(ref):
		return ref, diag.Diagnostics{diag.New(diag.InvalidInstanceKey, "%s has for_each, so that %q belongs to one instance of it. Write it as in %s[\"KEY\"].%s.", ref.Address, ref.Field(), ref.Address, ref.Field()).At(ref.Whole)}
	}
	return with, nil
}

// isField reports whether the step after the name is that of a field of one instance.
func (in *Inspector) isField(ref addr.Reference) bool {
	if object := schema.ObjectOf(ref.Address.Kind); object != nil {
		return object.Field(ref.Field()) != nil
	}
	return ref.Address.Kind == addr.Module && slices.Contains(in.outputs[ref.Address.Name], ref.Field())
}

// checkOutput checks the output that a reference to a module names.
func (in *Inspector) checkOutput(ref addr.Reference) diag.Diagnostics {
	names, read := in.outputs[ref.Address.Name]
	name := ref.Field()
	if !read || name == "" || slices.Contains(names, name) {
		return nil
	}
	next := diag.Hint{Text: " It has no outputs."}
	if len(names) > 0 {
		next = hintOrList(name, names)
	}
	return diag.Diagnostics{diag.New(diag.UnknownField, "The module %q has no output %q.%s", ref.Address.Name, name, next).At(ref.Rest[0].SourceRange())}
}

func undeclared(ref addr.Reference, names []string) diag.Diagnostic {
	hint := diag.DidYouMean(ref.Address.Name, names).Or(" Declare it, or correct the name.")
	what := map[addr.Kind]string{addr.Variable: "variable", addr.Local: "local value"}[ref.Address.Kind]
	if what == "" {
		what = string(ref.Address.Kind)
	}
	return diag.New(diag.UndeclaredReference, "There is no %s named %q.%s", what, ref.Address.Name, hint)
}

// checkField checks the first step after an object, and for the tensors of a graph the step after the name.
func checkField(object *schema.Object, rest hcl.Traversal, whole hcl.Range) diag.Diagnostics {
	ref := addr.Reference{Rest: rest}
	name := ref.Field()
	if name == "" {
		return nil
	}
	field := object.Field(name)
	if field == nil {
		d := diag.New(diag.UnknownField, "%s has no field %q.%s", object.Name, name, hintOrList(name, object.FieldNames()))
		return diag.Diagnostics{d.At(rest[0].SourceRange())}
	}
	if field.Planned && field.Type.IsMapType() && len(rest) > 2 {
		return checkField(schema.PlannedTensor(), rest[2:], whole)
	}
	return checkPart(object, field, rest[1:])
}

// checkPart checks the step after a field that is an object itself, such as tensor.texture.
func checkPart(object *schema.Object, field *schema.Field, rest hcl.Traversal) diag.Diagnostics {
	name := addr.Reference{Rest: rest}.Field()
	if name == "" || !field.Type.IsObjectType() || field.Type.HasAttribute(name) {
		return nil
	}
	parts := slices.Sorted(maps.Keys(field.Type.AttributeTypes()))
	return diag.Diagnostics{diag.New(diag.UnknownField, "%s.%s has no field %q.%s", object.Name, field.Name, name, hintOrList(name, parts)).At(rest[0].SourceRange())}
}

// hintOrList suggests the nearest name, or lists all of them.
func hintOrList(given string, names []string) diag.Hint {
	return diag.DidYouMean(given, names).Or(" Use one of " + diag.Enumerate(names, "or") + ".")
}

// functionsElsewhere are functions that people know from Terraform, and why there are none.
var functionsElsewhere = map[string]string{
	"timestamp": alwaysTheSame, "plantimestamp": alwaysTheSame, "uuid": alwaysTheSame, "bcrypt": alwaysTheSame,
	"timeadd": withoutTime, "timecmp": withoutTime, "formatdate": withoutTime,
	"pathexpand": fromTheModule, "abspath": fromTheModule,
	"cidrhost": withoutNetwork, "cidrnetmask": withoutNetwork, "cidrsubnet": withoutNetwork, "cidrsubnets": withoutNetwork,
	"rsadecrypt": " Nothing is encrypted here. Give secrets with variables that are sensitive.",
}

const (
	alwaysTheSame  = " The same configuration gives the same plan, whenever it is made. Give what changes as a variable."
	withoutTime    = " Nothing here depends on the time. Give it as a text, in a variable."
	fromTheModule  = " A plan is the same on every machine. Write paths as they are seen from path.module."
	withoutNetwork = " There is nothing to do with addresses of networks here. Remove the call."
)

// checkFunctions finds calls of functions that do not exist.
func (in *Inspector) checkFunctions(expr hclsyntax.Expression) diag.Diagnostics {
	var ds diag.Diagnostics
	visit := func(node hclsyntax.Node) hcl.Diagnostics {
		call, ok := node.(*hclsyntax.FunctionCallExpr)
		if !ok {
			return nil
		}
		if _, exists := in.known[call.Name]; exists {
			return nil
		}
		hint := diag.DidYouMean(call.Name, in.functions).Or(" The language reference lists the functions.")
		if why := functionsElsewhere[call.Name]; why != "" {
			hint = diag.Hint{Text: why}
		}
		ds = append(ds, diag.New(diag.UnknownFunction, "There is no function named %q.%s", call.Name, hint).At(call.NameRange))
		return nil
	}
	// The visitor collects its findings itself and reports none through HCL.
	_ = hclsyntax.VisitAll(expr, visit)
	return ds
}
