package main

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/units"
)

// points are the plans to make.
func (s *sweeper) points(ctx context.Context) ([]sweepPoint, diag.Diagnostics) {
	name := s.flag.name
	pool, isPool := strings.CutPrefix(name, "pool.")
	if s.in.kind == configInput && !isPool && len(s.flag.values) > 0 {
		// A value may be required: the first one is as good as any for reading what is declared.
		s.app.flags.variables = append(slices.Clone(s.app.flags.variables), eval.Argument{Name: name, Value: s.flag.values[0]})
	}
	var ds diag.Diagnostics
	if s.first, ds = s.app.load("plan", s.in); s.first == nil && slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.ID == diag.UndeclaredVariable }) {
		s.app.flags.variables = s.app.flags.variables[:len(s.app.flags.variables)-1]
		s.first, ds = s.app.load("plan", s.in)
	}
	switch {
	case ds.HasErrors():
		return nil, ds
	case len(s.flag.values) == 0:
		return s.sizes(ctx)
	case isPool:
		return s.poolSizes(pool)
	case s.first.declaration(name) != nil:
		return s.each(func(value string) sweepPoint {
			return sweepPoint{variable: &eval.Argument{Name: name, Value: value}}
		}), nil
	}
	return s.dimensions()
}

func (s *sweeper) each(of func(value string) sweepPoint) []sweepPoint {
	var out []sweepPoint
	for _, value := range s.flag.values {
		p := of(value)
		p.name, p.value = s.flag.name, value
		out = append(out, p)
	}
	return out
}

// dimensions are points that bind a dimension: of a bare graph any, of a configuration one that a graph block binds.
func (s *sweeper) dimensions() ([]sweepPoint, diag.Diagnostics) {
	name := s.flag.name
	if !s.first.bare {
		names := s.names()
		if !slices.ContainsFunc(s.first.cfg.Graphs, func(g *config.Graph) bool { _, bound := g.Dims[name]; return bound }) {
			return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "%q has nothing called %q to sweep: it can be a variable, a dimension that a graph block binds in dims, pool.NAME or the word %q.%s Here these can be swept: %s.",
				s.first.path, name, sweepSizes, diag.DidYouMean(name, names), diag.Quoted(names))}
		}
	}
	for _, value := range s.flag.values {
		if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < 1 {
			return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "%q is no value of the dimension %q. A dimension is a whole number of 1 or more: sweep it as %s=1..8.", value, name, name)}
		}
	}
	return s.each(func(value string) sweepPoint {
		n, _ := strconv.ParseInt(value, 10, 64)
		return sweepPoint{change: func(c *config.Config) {
			for _, g := range c.Graphs {
				if _, bound := g.Dims[name]; bound || s.first.bare {
					dims := maps.Clone(g.Dims)
					if dims == nil {
						dims = map[string]config.Dim{}
					}
					dims[name], g.Dims = config.Dim{Value: n}, dims
				}
			}
		}}
	}), nil
}

// names are what can be swept besides sizes.
func (s *sweeper) names() []string {
	var out []string
	for _, v := range s.first.cfg.Declarations {
		out = append(out, v.Name)
	}
	for _, g := range s.first.cfg.Graphs {
		for name := range g.Dims {
			out = append(out, name)
		}
	}
	for _, p := range s.first.cfg.Pools {
		out = append(out, "pool."+p.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// poolSizes are points that give a pool a size.
func (s *sweeper) poolSizes(pool string) ([]sweepPoint, diag.Diagnostics) {
	var names []string
	for _, p := range s.first.cfg.Pools {
		names = append(names, "pool."+p.Name)
	}
	if !slices.Contains(names, s.flag.name) {
		return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "%q has no pool called %q.%s Its pools are %s.", s.first.path, pool, diag.DidYouMean(s.flag.name, names), diag.Quoted(names))}
	}
	var ds diag.Diagnostics
	points := s.each(func(value string) sweepPoint {
		size, err := units.ParseBytes(value)
		if err != nil || size < 1 {
			ds = append(ds, diag.New(diag.WrongArguments, "%q is no size of a pool. Write it as a whole number of bytes, or with a unit, such as 64KiB.", value))
		}
		return sweepPoint{change: sized(pool, size)}
	})
	return points, ds
}

// sized gives a pool a size.
func sized(pool string, size int64) func(*config.Config) {
	return func(c *config.Config) {
		for _, p := range c.Pools {
			if p.Name == pool {
				p.Size = size
			}
		}
	}
}

// sizeSteps is how many sizes of a pool, each twice the one before, are planned below what it needs without a limit.
const sizeSteps = 4

// sizes are points for every pool that has a size: the pool at sizes that lead up to what it needs when nothing limits it, the
// others as they are declared.
func (s *sweeper) sizes(ctx context.Context) ([]sweepPoint, diag.Diagnostics) {
	var out []sweepPoint
	for _, p := range s.first.cfg.Pools {
		if p.Size == config.Unlimited {
			continue
		}
		free, ds, err := s.planned(ctx, sweepPoint{change: sized(p.Name, config.Unlimited)})
		if err != nil || free == nil {
			return nil, append(ds, diagnosticOf(err)...)
		}
		need := peakOf(free, p.Name)
		if err := free.Close(); err != nil {
			return nil, diagnosticOf(err)
		}
		sizes := []int64{need, p.Size}
		for step := range sizeSteps {
			sizes = append(sizes, need>>(step+1))
		}
		slices.Sort(sizes)
		for _, size := range slices.Compact(sizes) {
			if size > 0 {
				out = append(out, sweepPoint{name: "pool." + p.Name, value: units.Literal(size), change: sized(p.Name, size)})
			}
		}
	}
	if len(out) == 0 {
		return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "%q has no pool with a size, so that nothing limits what it needs: \"memplan plan\" says what that is. Sweep a size with -sweep pool.NAME=64KiB..1MiB.", s.first.path)}
	}
	return out, nil
}
