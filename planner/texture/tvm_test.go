package texture_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

func TestRelayTakesTheSquarestScope(t *testing.T) {
	for name, tc := range map[string]struct {
		shape graph.Shape
		limit int64
		want  texture.Scope
	}{
		"an activation is squarest by two axes":      {graph.Shape{1, 22, 20, 20, 4}, 16384, texture.NHWC},
		"a large map is squarest by rows":            {graph.Shape{1, 1, 300, 300, 4}, 16384, texture.Activation},
		"a kernel is squarest by outputs":            {graph.Shape{32, 16, 1, 1, 4}, 16384, texture.Weight},
		"a bias is a weight by its shape":            {graph.Shape{1, 30, 1, 1, 4}, 16384, texture.Weight},
		"a tie of all three goes to the weight":      {graph.Shape{1, 1, 1, 1, 4}, 16384, texture.Weight},
		"a tie of the first two goes to the second":  {graph.Shape{1, 4, 4, 4, 4}, 16384, texture.NHWC},
		"a side equal to the limit is too long":      {graph.Shape{1, 1, 300, 300, 4}, 300, texture.Global},
		"a side just below the limit is not":         {graph.Shape{1, 1, 300, 300, 4}, 301, texture.Activation},
		"the squarest is passed over when too long":  {graph.Shape{1, 22, 20, 20, 4}, 400, texture.Global},
		"another one is taken in its place":          {graph.Shape{2, 20, 10, 50, 4}, 410, texture.Activation},
		"rank 4 stays flat":                          {graph.Shape{1, 22, 20, 4}, 16384, texture.Global},
		"a last axis other than 4 stays flat":        {graph.Shape{1, 22, 20, 20, 8}, 16384, texture.Global},
		"an open axis stays flat":                    {graph.Shape{graph.Unknown, 22, 20, 20, 4}, 16384, texture.Global},
		"an empty shape stays flat":                  {graph.Shape{0, 22, 20, 20, 4}, 16384, texture.Global},
		"a product beyond counting is not below":     {graph.Shape{1 << 40, 1 << 40, 1, 1, 4}, 16384, texture.Global},
		"no limit lets nothing through":              {graph.Shape{1, 22, 20, 20, 4}, 0, texture.Global},
		"a scalar stays flat":                        {graph.Shape{}, 16384, texture.Global},
		"a shape of unknown rank stays flat as well": {nil, 16384, texture.Global},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tc.want, texture.Relay(tc.shape, tc.limit)) })
	}
}

func TestRelaxTakesTheFirstScopeWithinTheLimits(t *testing.T) {
	for name, tc := range map[string]struct {
		shape        graph.Shape
		limit, depth int64
		want         texture.Scope
	}{
		"the weight is asked first":                {graph.Shape{1, 22, 20, 20, 4}, 16384, 2048, texture.Weight},
		"then channels last":                       {graph.Shape{1, 64, 20, 20, 4}, 16384, 2048, texture.NHWC},
		"then the activation":                      {graph.Shape{1, 8, 200, 200, 4}, 16384, 2048, texture.Activation},
		"layers equal to the depth are too many":   {graph.Shape{1, 8, 200, 200, 4}, 16384, 8, texture.Global},
		"layers count both leading axes":           {graph.Shape{3, 8, 200, 200, 4}, 16384, 25, texture.Activation},
		"the batch is a layer of channels last":    {graph.Shape{8, 64, 20, 20, 4}, 16384, 8, texture.Global},
		"a width equal to the limit is too wide":   {graph.Shape{1, 1, 1, 200, 4}, 200, 2048, texture.Global},
		"a product beyond counting is not below":   {graph.Shape{1, 1 << 40, 1 << 40, 1, 4}, 16384, 2048, texture.Global},
		"anything but rank 5 ending in 4 is flat":  {graph.Shape{1, 22, 20, 20, 3}, 16384, 2048, texture.Global},
		"an open axis is flat whatever the others": {graph.Shape{1, graph.Unknown, 1, 1, 4}, 16384, 2048, texture.Global},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tc.want, texture.Relax(tc.shape, tc.limit, tc.depth)) })
	}
}
