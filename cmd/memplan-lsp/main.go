package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/server"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run serves one client. Nothing is written to the error stream but faults of the command line: editors show all of it as
// errors.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	flags := flag.NewFlagSet("memplan-lsp", flag.ContinueOnError)
	flags.SetOutput(errs)
	showVersion := flags.Bool("version", false, "print the version and exit")
	logFile := flags.String("log-file", "", "append what happens to this file")
	// Some clients say how they talk to a server, and which process they are.
	flags.Bool("stdio", true, "talk over standard input and output; there is no other way")
	flags.String("clientProcessId", "", "has no effect: the end of the input is the end of the client")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *showVersion {
		if _, err := fmt.Fprintln(out, "memplan-lsp", release); err != nil {
			return 1
		}
		return 0
	}
	log, closeLog, err := openLog(*logFile)
	if err != nil {
		// There is nobody else to tell when that fails too.
		_, _ = fmt.Fprintln(errs, "memplan-lsp:", err)
		return 2
	}
	code, err := server.Run(context.Background(), in, out, server.Options{
		Version: release, Environment: os.Environ(), Deadline: server.DefaultDeadline, Debounce: server.DefaultDebounce, Grace: server.DefaultGrace, Log: log,
	})
	if err != nil {
		log.Error("serving", "error", err)
	}
	if err := closeLog(); err != nil {
		return 1
	}
	return code
}

// openLog returns the log of a file, or one that keeps nothing.
func openLog(name string) (*slog.Logger, func() error, error) {
	if name == "" {
		return slog.New(slog.DiscardHandler), func() error { return nil }, nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the log: %w", err)
	}
	return slog.New(slog.NewTextHandler(file, nil)), file.Close, nil
}

// release is the version of this tree, without a leading "v".
const release = "0.1.0"
