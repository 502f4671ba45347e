package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
)

func TestLatencyIsSummedUpByNearestRank(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		took []time.Duration
		want view.Latency
	}{
		{[]time.Duration{ms(3)}, view.Latency{Min: 3, Median: 3, P95: 3}},
		{[]time.Duration{ms(4), ms(2)}, view.Latency{Min: 2, Median: 3, P95: 4}},
		{[]time.Duration{ms(9), ms(1), ms(5)}, view.Latency{Min: 1, Median: 5, P95: 9}},
	} {
		require.Equal(t, c.want, latencyOf(c.took))
	}
	var many []time.Duration
	for n := range 100 {
		many = append(many, ms(n+1))
	}
	require.Equal(t, view.Latency{Min: 1, Median: 50.5, P95: 95}, latencyOf(many))
}
