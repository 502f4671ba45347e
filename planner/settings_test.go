package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/scope"
)

func TestTheLanguageNamesWhatThePlannerHas(t *testing.T) {
	for setting, names := range map[string][]string{
		"algorithm": layout.Algorithms(), "texture_algorithm": texture.Algorithms(), "scope_policy": scope.Policies(),
	} {
		require.ElementsMatch(t, names, schema.Root().Block("planner").Attribute(setting).ValueNames(), setting)
	}
}
