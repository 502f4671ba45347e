"use strict";

// The grammar, as an editor applies it.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test, before } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");

const root = path.join(__dirname, "..");
let grammar;

before(async () => {
  const wasm = fs.readFileSync(path.join(root, "node_modules/vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(root, "syntaxes/memplan.tmLanguage.json");
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async (scope) => (scope === "source.memplan" ? parseRawGrammar(fs.readFileSync(file, "utf8"), file) : null),
  });
  grammar = await registry.loadGrammar("source.memplan");
});

// tokens lists the texts of a document with the innermost scope of each.
function tokens(text) {
  const found = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const piece = line.slice(token.startIndex, token.endIndex);
      if (piece.trim() !== "") {
        found.push([piece.trim(), token.scopes[token.scopes.length - 1]]);
      }
    }
  }
  return { found, state };
}

function scopeOf(text, piece) {
  const token = tokens(text).found.find(([t]) => t === piece);
  assert.ok(token, `${piece} is a token of ${text}: ${JSON.stringify(tokens(text).found)}`);
  return token[1];
}

for (const [name, text, piece, scope] of [
  ["a block's type", 'pool "p" {', "pool", "keyword.other.block.memplan"],
  ["a block's label", 'pool "p" {', '"p"', "entity.name.type.memplan"],
  ["a block that is not known", 'poool "p" {', "poool", "entity.name.tag.memplan"],
  ["an attribute", "  size = 1", "size", "variable.other.property.memplan"],
  ["an attribute named like a block", "  device = device.gpu", "device", "variable.other.property.memplan"],
  ["a reference", "  a = pool.arena.peak", "pool", "support.class.memplan"],
  ["a function", "  a = mib(16)", "mib", "entity.name.function.memplan"],
  ["a number", "  a = 1.5e3", "1.5e3", "constant.numeric.memplan"],
  ["a constant", "  a = true", "true", "constant.language.memplan"],
  ["a comment", "a = 1 # pool \"p\" {", '# pool "p" {', "comment.line.number-sign.memplan"],
  ["a reference in a text", '  a = "x ${var.batch} y"', "var", "support.class.memplan"],
  ["an escaped template", '  a = "x $${var.batch}"', "$${", "constant.character.escape.memplan"],
  ["a comparison", "  a = 1 == 2", "==", "keyword.operator.memplan"],
  ["a text", '  a = "pool"', "pool", "string.quoted.double.memplan"],
]) {
  test(`${name} has its scope`, () => assert.strictEqual(scopeOf(text, piece), scope));
}

test("a heredoc ends at its mark", () => {
  const { found } = tokens('a = <<EOT\n  pool "x" {\nEOT\npool "y" {\n}');
  assert.deepStrictEqual(found.find(([t]) => t === "pool"), ["pool", "keyword.other.block.memplan"]);
  assert.strictEqual(found.filter(([t]) => t === "pool").length, 1);
});

test("a text without its quote ends with its line", () => {
  assert.strictEqual(scopeOf('a = "x\nsize = 1', "size"), "variable.other.property.memplan");
});

test("every example is read to its end with nothing left open", () => {
  const examples = path.join(root, "../../examples");
  let read = 0;
  for (const entry of fs.readdirSync(examples, { recursive: true })) {
    if (String(entry).endsWith(".hcl")) {
      const { found, state } = tokens(fs.readFileSync(path.join(examples, String(entry)), "utf8") + "\n");
      assert.strictEqual(state.depth, 1, `${entry}`);
      assert.ok(found.some(([, scope]) => scope === "keyword.other.block.memplan"), `${entry}`);
      read++;
    }
  }
  assert.ok(read > 2);
});
