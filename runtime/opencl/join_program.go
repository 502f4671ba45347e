package opencl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memplan/memplan/runtime/opencl/cl"
)

// joinedProgram compiles the program of joined launches once in a session. A driver that does not compile or start it is none that
// joins launches: the program is 0 then, and Unjoined says why.
func (s *Session) joinedProgram() (cl.Program, error) {
	if s.unjoined != "" {
		return 0, nil
	}
	of := source{file: "joined"}
	if p, ok := s.programs[of]; ok {
		return p, nil
	}
	text, err := joinedText()
	if err != nil {
		return 0, err
	}
	p, err := s.build(of, text, "-cl-std=CL3.0")
	if failed := (*buildError)(nil); errors.As(err, &failed) {
		s.unjoined = "the driver does not compile the program of joined launches: " + failed.Error()
		return 0, nil
	}
	return p, err
}

// joinedText is the program of joined launches: the kernels as functions of an item, a function for each that takes its arguments
// from a table and computes some items, and the kernel that shares out the work.
func joinedText() (string, error) {
	var text strings.Builder
	written := map[string]bool{}
	add := func(name string) error {
		if written[name] {
			return nil
		}
		written[name] = true
		part, err := kernels.ReadFile("kernels/" + name + ".cl")
		text.Write(part)
		return err
	}
	files := []string{"joined_items", "prelude"}
	for _, s := range taskSources {
		defined := s.from.macros()
		for _, m := range defined {
			fmt.Fprintf(&text, "#define %s\n", strings.Replace(m, "=", " ", 1))
		}
		for _, name := range append(files, strings.Split(s.from.file, "+")...) {
			if err := add(name); err != nil {
				return "", fmt.Errorf("joined program: %w", err)
			}
		}
		for i := range s.tasks {
			s.tasks[i].write(&text)
		}
		for _, m := range defined {
			name, _, _ := strings.Cut(m, "=")
			fmt.Fprintf(&text, "#undef %s\n", name)
		}
		files = nil
	}
	writePerform(&text)
	err := add("joined")
	return text.String(), err
}

// macros are the names that the options define, some with "=" and a value.
func (s source) macros() (names []string) {
	for _, option := range strings.Fields(s.options) {
		names = append(names, strings.TrimPrefix(option, "-D"))
	}
	return names
}

// write writes the function that computes items of a launch: it takes the arguments from the table once.
func (t *task) write(text *strings.Builder) {
	fmt.Fprintf(text, "TASK(%s) {\n", t.kernel)
	at := 0
	var pass []string
	for i, kind := range t.takes {
		word := fmt.Sprintf("entry + ENTRY_ARGUMENTS + %d", at)
		switch kind {
		case 'm':
			fmt.Fprintf(text, "  global void *a%d = memory[*(%s)];\n  long at%d = as_long(vload2(0, %s + 1));\n", i, word, i, word)
			pass = append(pass, fmt.Sprintf("a%d, at%d", i, i))
		case 'i':
			fmt.Fprintf(text, "  int a%d = *(%s);\n", i, word)
		case 'f':
			fmt.Fprintf(text, "  float a%d = as_float(*(%s));\n", i, word)
		case '4':
			fmt.Fprintf(text, "  float4 a%d = as_float4(vload4(0, %s));\n", i, word)
		case '8':
			fmt.Fprintf(text, "  int8 a%d = vload8(0, %s);\n", i, word)
		case 'l':
			fmt.Fprintf(text, "  local void *a%d = held;\n", i)
		}
		if kind != 'm' {
			pass = append(pass, fmt.Sprintf("a%d", i))
		}
		at += words[kind]
	}
	fmt.Fprintf(text, "  EACH_ITEM\n    %s(place, %s);\n}\n", t.kernel, strings.Join(pass, ", "))
}

// writePerform writes the function that chooses the kernel of an entry, and the buffers as arguments.
func writePerform(text *strings.Builder) {
	text.WriteString("static void perform(global const int *entry, global uchar *const *memory, local uchar *held, int first, int last) {\n  switch (entry[ENTRY_KERNEL]) {\n")
	number := 0
	for _, s := range taskSources {
		for _, t := range s.tasks {
			fmt.Fprintf(text, "  case %d: task_%s(entry, memory, held, first, last); break;\n", number, t.kernel)
			number++
		}
	}
	text.WriteString("  }\n}\n")
	var parameters, names []string
	for i := range joinedBuffers {
		parameters = append(parameters, fmt.Sprintf("global uchar *m%d", i))
		names = append(names, fmt.Sprintf("m%d", i))
	}
	fmt.Fprintf(text, "#define MEMORIES %s\n#define MEMORY_LIST %s\n", strings.Join(parameters, ", "), strings.Join(names, ", "))
}
