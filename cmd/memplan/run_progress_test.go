package main

import (
	"testing"

	"github.com/memplan/memplan/runtime/exec"
	"github.com/stretchr/testify/require"
)

func TestARunTellsHowFarItHasCome(t *testing.T) {
	p := &runProgress{}
	p.show(nil, "smoke", 50)()
	require.Equal(t, "Preparing smoke", p.text())
	p.watch(exec.Preparing, 2, 9)
	require.Equal(t, "Preparing smoke: step 3 of 9  ████░░░░░░░░░░░░░░░░", p.text())
	p.watch(exec.Running, 0, 9)
	p.iteration.Store(7)
	require.Equal(t, "Running smoke: iteration 8 of 50  ███░░░░░░░░░░░░░░░░░", p.text())
	p.show(nil, "long", 1)()
	p.watch(exec.Running, 4, 9)
	require.Equal(t, "Running long: step 5 of 9  █████████░░░░░░░░░░░", p.text())
}
