package exec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

func TestRowsDieBetweenThoseThatLive(t *testing.T) {
	at := func(offset, bytes int64) device.Region { return device.Region{Image: -1, Offset: offset, Bytes: bytes} }
	rows := func(offset int64) *device.Tensor {
		return &device.Tensor{Place: at(offset, 10), LogicalBytes: 4, Row: 2, Stride: 8}
	}
	whole := &device.Tensor{Name: "whole", Place: at(0, 16), LogicalBytes: 16}
	base := &plan.Tensor{Name: "whole", Last: 9}
	for _, c := range []struct {
		name    string
		members []member
		gaps    []plan.Gap
		want    []device.Region
	}{
		{"rows that nobody reads any more", []member{{0, 3, rows(2)}, {0, 5, rows(4)}, {6, 9, whole}}, nil, []device.Region{at(2, 2), at(10, 2)}},
		{"neighbours that die together", []member{{0, 3, rows(2)}, {0, 3, rows(4)}, {6, 9, whole}}, nil, []device.Region{at(2, 2), at(4, 2), at(10, 2), at(12, 2)}},
		{"what the whole shows lives", []member{{0, 3, rows(2)}, {2, 9, whole}}, nil, nil},
		{"all of the whole but the rows that are read later", []member{{0, 3, whole}, {3, 9, rows(2)}}, nil, []device.Region{at(0, 2), at(4, 6), at(12, 4)}},
		{"what others have in a gap", []member{{0, 3, rows(2)}, {6, 9, whole}}, []plan.Gap{{First: 2, Last: 5, From: 0, To: 3}}, []device.Region{at(3, 1), at(10, 2)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base.Gaps = c.gaps
			if c.members[len(c.members)-1].t != whole && c.members[0].t != whole {
				c.members = append(c.members, member{9, 9, whole})
			}
			b := strided{base, c.members}
			require.Equal(t, c.want, b.deadAfter(2))
			require.Empty(t, b.deadAfter(8), "the whole has its bytes no longer")
		})
	}
}
