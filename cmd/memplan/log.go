package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"strings"
)

// logger writes what the environment variable MEMPLAN_LOG asks for: "debug", "info", "warn" or "error", or "json" for
// everything as JSON. Without it nothing is logged; a value that is none of these counts as "debug", with a warning. The log goes to
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
	level, ok := logLevel(wanted)
	if !ok {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level}))
}

func logLevel(name string) (level slog.Level, ok bool) {
	err := level.UnmarshalText([]byte(strings.ToUpper(name)))
	return level, err == nil
}

// startLog opens the file of MEMPLAN_LOG_PATH, if there is something to log.
func (a *app) startLog() (stop func(), err error) {
	if wanted := a.environment("MEMPLAN_LOG"); wanted != "" && !strings.EqualFold(wanted, "json") {
		if _, ok := logLevel(wanted); !ok {
			fmt.Fprintf(a.stderr, "memplan: warning: MEMPLAN_LOG is %q, which is none of \"debug\", \"info\", \"warn\", \"error\" and \"json\"; it counts as \"debug\"\n", wanted)
		}
	}
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
