package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
)

const consoleHelp = `console plans, reads expressions and prints their values. An expression sees all that an output block sees: pool.arena.peak,
graph.net.tensor["y"].offset, var.batch, functions; and the outputs, as in output.peak. One with an open bracket goes on in the next line.

On a terminal, lines can be edited, the Tab key completes names, "help" says what can be typed, and "exit" or Ctrl-D ends. From a pipe every expression is
read from standard input; with -json each gives one event, the last event is a summary.

Exit status: 0 every expression had a value; 1 problems; 2 wrong use of the command line.`

func (a *app) consoleCommand() *cobra.Command {
	cmd := command("console [flags] [FILE or DIR]", "Evaluate expressions on the plan", consoleHelp,
		func(ctx context.Context, path string) {
			v := view.NewConsole(a.flags.json, a.term, a.sources, version())
			a.finish(v, a.console(ctx, v, path))
		})
	a.configFlags(cmd.Flags())
	return cmd
}

// lineReader reads lines of input, the prompt shown where somebody sees it.
type lineReader interface {
	// line returns the next line without its end, and io.EOF after the last one.
	line(prompt string) (string, error)
	close() error
}

func (a *app) console(ctx context.Context, v view.Console, path string) (o outcome) {
	j, result, ds, failed := a.openAndPlan(ctx, "console", path)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	facts := planner.Facts(result.Plan)
	e := &evaluator{app: a, view: v, ctx: withOutputs(j.cfg.EvalContext(&facts), outputsOf(result))}
	v.Start(a.judged(ds))
	lines, err := a.lines(e)
	if err != nil {
		return fault(err)
	}
	err = e.run(ctx, lines)
	if closeErr := lines.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fault(err)
	}
	v.Done(e.evaluated, e.failed)
	if e.failed > 0 && !a.interactive {
		return done(exitProblems)
	}
	return done(exitOK)
}

// withOutputs lets expressions see the outputs, which expressions of a configuration do not.
func withOutputs(ctx *hcl.EvalContext, outputs []view.Output) *hcl.EvalContext {
	if len(outputs) == 0 {
		return ctx
	}
	values := make(map[string]cty.Value, len(outputs))
	for _, o := range outputs {
		values[o.Name] = o.Value
	}
	ctx.Variables["output"] = cty.ObjectVal(values)
	return ctx
}

// lines reads from the terminal with editing where there is one to write to as well, and else line by line.
func (a *app) lines(e *evaluator) (lineReader, error) {
	in, fromFile := a.stdin.(*os.File)
	out, toFile := a.stdout.(*os.File)
	if a.interactive && fromFile && toFile && a.term.OutWidth > 0 && !a.flags.json {
		return newTerminalLines(in, out, e.complete)
	}
	return newPlainLines(a.stdin), nil
}

// evaluator evaluates expressions and counts them.
type evaluator struct {
	app               *app
	view              view.Console
	ctx               *hcl.EvalContext
	evaluated, failed int
}

// consoleName is the name of the console's input in ranges.
const consoleName = "<console>"

// run evaluates what it reads until the end.
func (e *evaluator) run(ctx context.Context, lines lineReader) error {
	var input typed
	for ctx.Err() == nil {
		prompt := "> "
		if input.isOpen() {
			prompt = "… "
		}
		line, err := lines.line(prompt)
		if errors.Is(err, io.EOF) {
			if input.isOpen() {
				e.evaluate(input.take()) // which reports the bracket that is still open
			}
			return nil
		}
		if err != nil {
			return err
		}
		if !input.isOpen() {
			switch strings.TrimSpace(line) {
			case "exit", "quit":
				return nil
			case "help":
				e.view.Help()
				continue
			}
		}
		if input.add(line); input.isOpen() {
			continue
		}
		if text := input.take(); !isBlank(text) {
			e.evaluate(text)
		}
	}
	return ctx.Err()
}

func (e *evaluator) evaluate(text string) {
	e.evaluated++
	value, ds := e.value(text)
	if ds.HasErrors() {
		e.failed++
		e.app.remember(consoleName, []byte(text))
		e.view.Problem(e.app.judged(ds))
		return
	}
	e.view.Value(text, value)
}

func (e *evaluator) value(text string) (cty.Value, diag.Diagnostics) {
	expr, ds := syntax.ParseExpression(consoleName, []byte(text))
	if ds.HasErrors() {
		return cty.NilVal, ds
	}
	return eval.Value(expr, e.ctx)
}
