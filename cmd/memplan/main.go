package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

func main() {
	collectLater()
	// A reader who has had enough, as head has, ends neither the work nor its exit code: apply still writes its lock.
	signal.Ignore(syscall.SIGPIPE)
	// The first interrupt or request to terminate ends the work and shows what there is; a second one, with nothing listening, ends the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ(), interactive: term.IsTerminal(int(os.Stdin.Fd()))}
	os.Exit(a.main(ctx, os.Args[1:]))
}
