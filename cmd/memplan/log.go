package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"strings"
)

// logger writes what the environment variable MEMPLAN_LOG asks for: "debug", "info", "warn" or "error", or "json" for
// everything as JSON. Without it nothing is logged; a value that is none of these counts as "debug". The log goes to
// standard error, or to the end of the file MEMPLAN_LOG_PATH.
func (a *app) logger() *slog.Logger {
	wanted := a.environment("MEMPLAN_LOG")
	if wanted == "" {
		return slog.New(slog.DiscardHandler)
	}
	out := cmp.Or(a.log, a.stderr)
	if strings.EqualFold(wanted, "json") {
		return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(strings.ToUpper(wanted))); err != nil {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
}

// startLog opens the file of MEMPLAN_LOG_PATH, if there is something to log.
func (a *app) startLog() (stop func(), err error) {
	name := a.environment("MEMPLAN_LOG_PATH")
	if name == "" || a.environment("MEMPLAN_LOG") == "" {
		return func() {}, nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	a.log = file
	return func() {
		if err := file.Close(); err != nil {
			fmt.Fprintf(a.stderr, "memplan: closing the log: %v\n", err)
		}
	}, nil
}
