package main

import (
	"log/slog"
	"strings"
)

// logger writes to standard error what the environment variable MEMPLAN_LOG asks for: "debug", "info", "warn" or "error".
// Without it nothing is logged; a value that is none of these counts as "debug".
func (a *app) logger() *slog.Logger {
	wanted := a.environment("MEMPLAN_LOG")
	if wanted == "" {
		return slog.New(slog.DiscardHandler)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(strings.ToUpper(wanted))); err != nil {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}
