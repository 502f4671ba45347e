package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner/plan"
)

const testHelp = `test plans a configuration under other circumstances and checks what comes of it. The tests are in files *.memplantest.hcl: of
DIR and of its directory "tests", or the FILE itself. Of a configuration file they are those beside it that are about it.

  config = "net.hcl"            # relative to this file; left out: the configuration of the directory
  variables { batch = 1 }       # for all runs

  run "fits_a_small_device" {
    variables { batch = 4 }
    device "gpu" { max_alloc = "64MiB" }
    assert {
      condition     = pool.arena.peak <= mib(16)
      error_message = "arena peak is ${format_bytes(pool.arena.peak)}"
    }
  }

  run "is_refused" {
    pool "arena" { size = "1KiB" }
    expect_failures = [pool.arena]
  }

Blocks device, pool, graph and planner of a run change the configuration's blocks of the same name for that run;
a block of a module goes by its name in plans, as in pool "module.phone.arena", in all instances of the module. Nothing is
written but what -junit-xml asks for.

Exit status: 0 every run passed; 1 some did not, there are none, or problems; 2 wrong use of the command line.`

// testFlags are the flags of test alone.
type testFlags struct {
	filters []string
	junit   string
}

func (a *app) testCommand() *cobra.Command {
	var flags testFlags
	cmd := command("test [flags] [FILE or DIR or FILE"+config.TestSuffix+"]", "Run the tests of a configuration", testHelp,
		func(ctx context.Context, path string) {
			v := view.NewTest(a.flags.json, a.term, a.sources, version())
			a.finish(v, a.test(ctx, v, path, &flags))
		})
	a.configFlags(cmd.Flags())
	ofConfigurations(cmd.Flags())
	cmd.Flags().StringArrayVar(&flags.filters, "filter", nil, "run only what matches `GLOB`: the name of a run, or the path of a file; may be repeated")
	cmd.Flags().StringVar(&flags.junit, "junit-xml", "", "write the results to `FILE` as JUnit XML too")
	return cmd
}

func (a *app) test(ctx context.Context, v view.Test, path string, flags *testFlags) outcome {
	for _, filter := range flags.filters {
		if !doublestar.ValidatePattern(filter) {
			return problem(diag.WrongArguments, "The flag -filter does not take the value %q: a bracket or brace in it is not closed.", filter)
		}
	}
	if len(a.flags.dims) > 0 {
		return problem(diag.WrongArguments, "-dim binds dimensions of a graph file, and tests are of configurations. Set dims in the graph block, or in one of the run.")
	}
	files, ds := testFiles(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	tests, ds := a.loadTests(files, path)
	if ds.HasErrors() {
		return problems(ds)
	}
	results, err := a.testAll(ctx, v, tests, flags.filters)
	if err != nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	if len(results) == 0 {
		return problem(diag.NoTests, "No run of %s matches -filter %s. Leave it out, or correct it.", diag.Quoted(files), diag.Quoted(flags.filters))
	}
	if refused := a.inputs.refuse("-junit-xml", flags.junit); refused.HasErrors() {
		ds = append(ds, refused...)
	} else if flags.junit != "" {
		var text bytes.Buffer
		if err := view.WriteJUnit(&text, results); err != nil {
			return fault(err)
		}
		if err := plan.WriteFile(flags.junit, text.Bytes()); err != nil {
			ds = append(ds, notWritten(flags.junit, err))
		}
	}
	v.Done(results, a.judged(ds))
	if ds.HasErrors() || slices.ContainsFunc(results, func(r view.TestResult) bool { return !r.Passed() }) {
		return done(exitProblems)
	}
	return done(exitOK)
}

// testFiles lists the test files that a path stands for, with forward slashes, in order of name: for a configuration file all of
// its directory.
func testFiles(name string) ([]string, diag.Diagnostics) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, diag.Diagnostics{unreadable(name, err)}
	case info.IsDir():
	case isConfiguration(name):
		name = filepath.Dir(name)
	case strings.HasSuffix(name, config.TestSuffix):
		return []string{filepath.ToSlash(name)}, nil
	default:
		return nil, diag.Diagnostics{diag.New(diag.UnknownFileKind, "%q is neither a file with tests, whose names end in %s, nor a configuration. Name one, or a directory that has some.", filepath.ToSlash(name), config.TestSuffix)}
	}
	var files []string
	for _, dir := range []string{name, filepath.Join(name, "tests")} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, diag.Diagnostics{unreadable(dir, err)}
		}
		for _, entry := range entries {
			if strings.HasSuffix(entry.Name(), config.TestSuffix) && !strings.HasPrefix(entry.Name(), ".") && !entry.IsDir() {
				files = append(files, filepath.ToSlash(filepath.Join(dir, entry.Name())))
			}
		}
	}
	if len(files) == 0 {
		return nil, diag.Diagnostics{diag.New(diag.NoTests, "The directory %q has no tests: neither it nor its directory \"tests\" has a file *%s. Write one; \"memplan test -help\" shows how.", filepath.ToSlash(name), config.TestSuffix)}
	}
	return files, nil
}

// isConfiguration reports whether a file has the name of a configuration.
func isConfiguration(name string) bool {
	return strings.HasSuffix(name, ".hcl") && !strings.HasSuffix(name, config.TestSuffix) || strings.HasSuffix(name, syntax.ConfigSuffix+syntax.JSONSuffix)
}

// loadTests reads test files. Of those found for a configuration file the ones that are about another are left out.
func (a *app) loadTests(files []string, name string) (tests []*config.TestFile, diags diag.Diagnostics) {
	for _, test := range files {
		file, ds := config.LoadTests(a.disk(), test)
		a.remember(test, file.File.HCL.Bytes)
		a.files[test] = file.File.HCL
		diags = append(diags, ds...)
		if !isConfiguration(name) || isAbout(file, name) {
			tests = append(tests, file)
		}
	}
	if len(tests) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.New(diag.NoTests, "None of %s is about %q. Name it there, as in config = %q.", diag.Quoted(files), filepath.ToSlash(name), filepath.Base(name)))
	}
	return tests, diags
}

// isAbout reports whether a test file is about a configuration file, alone or with the others of its directory.
func isAbout(file *config.TestFile, name string) bool {
	target, name := path.Clean(tested(file)), path.Clean(filepath.ToSlash(name))
	inModule := strings.HasSuffix(name, syntax.ConfigSuffix) || strings.HasSuffix(name, syntax.ConfigSuffix+syntax.JSONSuffix)
	return target == name || inModule && target == path.Dir(name)
}

// testAll runs the runs of the files that a filter matches, in order.
func (a *app) testAll(ctx context.Context, v view.Test, tests []*config.TestFile, filters []string) (results []view.TestResult, err error) {
	for _, file := range tests {
		for _, run := range file.Runs {
			if !selected(filters, file.Name, run.Name) {
				continue
			}
			result, err := a.testRun(ctx, file, run)
			if err != nil {
				return results, err
			}
			v.Run(result)
			results = append(results, *result)
		}
	}
	return results, nil
}

// selected reports whether a run is to be run: no filter, or one that matches the run's name or the file.
func selected(filters []string, file, run string) bool {
	return len(filters) == 0 || slices.ContainsFunc(filters, func(filter string) bool {
		return doublestar.MatchUnvalidated(filter, run) || doublestar.MatchUnvalidated(filepath.ToSlash(filter), file) || doublestar.MatchUnvalidated(filter, path.Base(file))
	})
}

// tested is the path of the configuration that a test file is about.
func tested(file *config.TestFile) string {
	if file.Config != "" {
		return file.Config
	}
	dir := path.Dir(file.Name)
	if path.Base(dir) == "tests" {
		if entries, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*"+syntax.ConfigSuffix)); err == nil && len(entries) == 0 {
			return path.Dir(dir)
		}
	}
	return dir
}

// variablesFor are the command line's values with those of a run after them.
func (a *app) variablesFor(run *config.TestRun) eval.VariableSources {
	return eval.VariableSources{Environment: a.environ, Arguments: slices.Concat(a.flags.variables, run.Variables)}
}
