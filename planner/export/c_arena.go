package export

import (
	"io"
	"strings"
)

// writeArena writes the header with the memory itself: an array for each flat pool that holds more than constants, as
// large as the plan needs and aligned as it counts on, and a function that finds where a tensor lies. The bytes of a pool of
// constants come with the model: the program says where. The arrays are defined in the one file that defines
// PREFIX_IMPLEMENTATION before it includes the header.
func writeArena(w io.Writer, s *Subject, o *Options) error {
	c := &cText{m: newCModel(s, o)}
	c.open("C header with arenas")
	c.declareArenas()
	c.line("#ifdef %s_IMPLEMENTATION\n", c.m.macro)
	c.defineArenas()
	c.lookup()
	c.line("#endif /* %s_IMPLEMENTATION */\n", c.m.macro)
	c.close()
	_, err := c.WriteTo(w)
	return err
}

// eachArena visits the flat pools of more than constants that need any bytes.
func (c *cText) eachArena(visit func(*cPool)) {
	for i := range c.m.pools {
		if pool := &c.m.pools[i]; pool.flat() && !pool.constants && pool.Peak > 0 {
			visit(pool)
		}
	}
}

func (c *cText) eachConstants(visit func(*cPool)) {
	for i := range c.m.pools {
		if pool := &c.m.pools[i]; pool.flat() && pool.constants {
			visit(pool)
		}
	}
}

func (c *cText) declareArenas() {
	p, word := c.m.macro, c.m.word
	c.line("/* The arenas. Exactly one file defines %s_IMPLEMENTATION before it includes this header, and so has them.", p)
	c.line("   It may also define %s_POOL_..._PLACE as what puts an arena into a section of the linker. */", p)
	c.eachArena(func(pool *cPool) {
		c.line("extern unsigned char %s_arena_%s[%s_POOL_%s_SIZE];", word, strings.ToLower(pool.name), p, pool.name)
	})
	c.eachConstants(func(pool *cPool) {
		c.line("extern const void *%s_base_%s; /* set it to where the constants of the pool lie */", word, strings.ToLower(pool.name))
	})
	c.line("\n/* The address of a tensor; NULL for a name that is not there, an image, memory of the caller, and constants whose")
	c.line("   base is not set. A NULL graph is any. */")
	c.line("void *%s_lookup(const char *graph, const char *tensor);\n", word)
}

func (c *cText) defineArenas() {
	p, word := c.m.macro, c.m.word
	c.line("#include <string.h>\n")
	c.line("#ifndef %s_ALIGNED\n#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__)\n#define %s_ALIGNED(n) __attribute__((aligned(n)))", p, p)
	c.line("#elif defined(_MSC_VER)\n#define %s_ALIGNED(n) __declspec(align(n))\n#else", p)
	c.line("#error \"define %s_ALIGNED(n) as what aligns a variable to n bytes\"\n#endif\n#endif\n", p)
	c.eachArena(func(pool *cPool) {
		c.line("#ifndef %s_POOL_%s_PLACE\n#define %s_POOL_%s_PLACE\n#endif", p, pool.name, p, pool.name)
		c.line("%s_ALIGNED(%d) %s_POOL_%s_PLACE unsigned char %s_arena_%s[%s_POOL_%s_SIZE];\n", p, pool.base, p, pool.name, word, strings.ToLower(pool.name), p, pool.name)
	})
	c.eachConstants(func(pool *cPool) { c.line("const void *%s_base_%s = NULL;\n", word, strings.ToLower(pool.name)) })
}

func (c *cText) lookup() {
	p, word := c.m.macro, c.m.word
	c.line("static void *%s_base(int pool) {\n  switch (pool) {", word)
	c.eachArena(func(pool *cPool) {
		c.line("  case %s_POOL_%s_INDEX:\n    return %s_arena_%s;", p, pool.name, word, strings.ToLower(pool.name))
	})
	c.eachConstants(func(pool *cPool) {
		c.line("  case %s_POOL_%s_INDEX:\n    return (void *)%s_base_%s;", p, pool.name, word, strings.ToLower(pool.name))
	})
	c.line("  default:\n    return NULL;\n  }\n}\n")
	c.line("void *%s_lookup(const char *graph, const char *tensor) {", word)
	c.line("  const struct %s_tensor *t;\n  for (t = %s_tensors(); t->name != NULL; t++) {", word, word)
	c.line("    if (strcmp(t->name, tensor) == 0 && (graph == NULL || strcmp(t->graph, graph) == 0)) {")
	c.line("      unsigned char *base = (unsigned char *)%s_base(t->pool);", word)
	c.line("      if (base == NULL || t->offset == %s_NO_OFFSET) {\n        return NULL;\n      }\n      return base + t->offset;\n    }\n  }\n  return NULL;\n}\n", p)
}
