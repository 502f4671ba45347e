"use strict";

// The language server, driven by the protocol library of Visual Studio Code. MEMPLAN_LSP names the program.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { test } = require("node:test");
const lsp = require("vscode-languageserver-protocol/node");

const net = JSON.stringify({
  format_version: "1.0",
  name: "net",
  tensors: [
    { name: "x", role: "input", dtype: "uint8", shape: [600] },
    { name: "t", dtype: "uint8", shape: [400] },
    { name: "y", role: "output", dtype: "uint8", shape: [500] },
  ],
  ops: [
    { name: "a", op: "Custom", inputs: ["x"], outputs: ["t"] },
    { name: "b", op: "Custom", inputs: ["t"], outputs: ["y"] },
  ],
});
const config = 'device "d" {\n  driver         = "none"\n  base_alignment = 1\n}\npool "p" {\n  device = device.d # 😀\n  size   = 2000\n}\ngraph "g" {\n  source = "net.json"\n  device = device.d\n}\n';

// start runs a server; encodings are what the client offers.
async function start(t, encodings) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "memplan-"));
  fs.writeFileSync(path.join(dir, "net.json"), net);
  const child = spawn(process.env.MEMPLAN_LSP, [], { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const code = new Promise((resolve) => child.on("exit", resolve));
  const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));
  const published = new Map();
  const waiting = [];
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
    published.set(p.uri, p);
    for (const check of [...waiting]) check();
  });
  for (const type of [lsp.RegistrationRequest.type, lsp.InlayHintRefreshRequest.type, lsp.CodeLensRefreshRequest.type, lsp.WorkDoneProgressCreateRequest.type]) {
    connection.onRequest(type, () => undefined);
  }
  connection.listen();
  t.after(() => {
    connection.dispose();
    child.kill();
    fs.rmSync(dir, { recursive: true });
  });
  const initialized = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: null,
    capabilities: {
      general: { positionEncodings: encodings },
      textDocument: { hover: { contentFormat: ["markdown"] }, completion: { completionItem: { snippetSupport: true } }, documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
      workspace: { workspaceEdit: { documentChanges: true }, codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
      window: { workDoneProgress: true },
    },
  });
  connection.sendNotification(lsp.InitializedNotification.type, {});
  const uri = pathToFileURL(path.join(dir, "config.hcl")).toString();
  const editor = {
    connection,
    uri,
    code,
    initialized,
    errors: () => errors,
    document: { uri },
    version: 0,
    // other is the document of another file of the same directory, which keeps its own version.
    other(name) {
      const there = pathToFileURL(path.join(dir, name)).toString();
      const document = Object.create(editor, { uri: { value: there }, document: { value: { uri: there } } });
      document.version = 0;
      return document;
    },
    // diagnostics waits until those of the document's version are as wanted.
    diagnostics(wanted) {
      return new Promise((resolve) => {
        const check = () => {
          const p = published.get(this.uri);
          if (p && p.version === this.version && wanted(p.diagnostics)) {
            waiting.splice(waiting.indexOf(check), 1);
            resolve(p.diagnostics);
          }
        };
        waiting.push(check);
        check();
      });
    },
    open(text) {
      connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri: this.uri, languageId: "memplan", version: ++this.version, text } });
    },
    change(...changes) {
      connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri: this.uri, version: ++this.version }, contentChanges: changes });
    },
    async stop() {
      await connection.sendRequest(lsp.ShutdownRequest.type);
      connection.sendNotification(lsp.ExitNotification.type);
      assert.strictEqual(await code, 0);
      assert.strictEqual(errors, "", "nothing is written to the error stream");
    },
  };
  return editor;
}

const none = (d) => d.length === 0;
const one = (d) => d.length === 1;
const at = (line, character) => ({ line, character });

test("break, fix, and the list is empty", { timeout: 300000 }, async (t) => {
  const e = await start(t, ["utf-16"]);
  e.open(config);
  await e.diagnostics(none);
  for (const [old, broken, code] of [
    ["device.d # 😀", "device.x # 😀", "MP0124"],
    ["size   = 2000", 'size   = "2000', "MP0101"],
    ["size   = 2000", "size   = 700", "MP0575"],
    ['pool "p" {', 'pool "p" ', "MP0101"],
  ]) {
    e.change({ text: config.replace(old, broken) });
    const [found] = await e.diagnostics(one);
    assert.strictEqual(found.code, code);
    assert.strictEqual(found.source, "memplan");
    e.change({ text: config });
    await e.diagnostics(none);
  }
  await e.stop();
});

test("positions count what the client counts", { timeout: 300000 }, async (t) => {
  for (const [encoding, column] of [["utf-16", 12], ["utf-8", 14]]) {
    const e = await start(t, [encoding]);
    assert.strictEqual(e.initialized.capabilities.positionEncoding, encoding);
    e.open('locals {\n  a = "😀" + nope.x\n}\n');
    const [found] = await e.diagnostics(one);
    assert.deepStrictEqual(found.range.start, at(1, column - 12 + 13));
    await e.stop();
  }
});

test("the requests of an editing session", { timeout: 300000 }, async (t) => {
  const e = await start(t, ["utf-16"]);
  const about = { textDocument: e.document };
  e.open(config);
  await e.diagnostics(none);
  const plan = await e.connection.sendRequest(lsp.ExecuteCommandRequest.type, { command: "memplan.plan", arguments: [{ uri: e.uri }] });
  assert.strictEqual(plan.planned, true);
  const hover = await e.connection.sendRequest(lsp.HoverRequest.type, { ...about, position: at(4, 7) });
  assert.match(hover.contents.value, /peak/);
  const hints = await e.connection.sendRequest(lsp.InlayHintRequest.type, { ...about, range: { start: at(0, 0), end: at(20, 0) } });
  assert.ok(hints.some((h) => /^peak 1000 B/.test(h.label)));
  const lenses = await e.connection.sendRequest(lsp.CodeLensRequest.type, about);
  assert.ok(lenses.some((l) => l.command.command === "memplan.showMap"));
  const svg = await e.connection.sendRequest(lsp.ExecuteCommandRequest.type, { command: "memplan.showMap", arguments: [{ uri: e.uri, pool: "p" }] });
  assert.match(svg, /^<svg .*<\/svg>\s*$/s);
  const symbols = await e.connection.sendRequest(lsp.DocumentSymbolRequest.type, about);
  assert.deepStrictEqual(symbols.map((s) => s.name), ["d", "p", "g"]);
  const tokens = await e.connection.sendRequest(lsp.SemanticTokensRequest.type, about);
  assert.ok(tokens.data.length > 0 && tokens.data.length % 5 === 0);
  const [target] = await e.connection.sendRequest(lsp.DefinitionRequest.type, { ...about, position: at(5, 19) });
  assert.deepStrictEqual(target.range.start, at(0, 8));
  const references = await e.connection.sendRequest(lsp.ReferencesRequest.type, { ...about, position: at(0, 9), context: { includeDeclaration: true } });
  assert.strictEqual(references.length, 3);
  const renamed = await e.connection.sendRequest(lsp.RenameRequest.type, { ...about, position: at(0, 9), newName: "gpu" });
  assert.strictEqual(renamed.documentChanges[0].edits.length, 3);
  const completion = await e.connection.sendRequest(lsp.CompletionRequest.type, { ...about, position: at(5, 18) });
  assert.ok(completion.items.some((i) => i.label === "d"));
  e.change({ range: { start: at(6, 0), end: at(6, 0) }, text: "      " });
  const edits = await e.connection.sendRequest(lsp.DocumentFormattingRequest.type, { ...about, options: { tabSize: 2, insertSpaces: true } });
  assert.strictEqual(edits.length, 1);
  await e.stop();
});

test("files of a directory are one configuration", { timeout: 300000 }, async (t) => {
  const e = await start(t, ["utf-16"]);
  const a = e.other("a.memplan.hcl");
  const b = e.other("b.memplan.hcl");
  a.open('device "d" {\n}\n');
  b.open('pool "p" {\n  /* 😀é */ device = device.d\n}\n');
  await a.diagnostics(none);
  await b.diagnostics(none);
  // A name that goes in one file is missed in the other, at the column that the client counts.
  a.change({ range: { start: at(0, 8), end: at(0, 9) }, text: "other" });
  const [missing] = await b.diagnostics(one);
  assert.deepStrictEqual(missing.range, { start: at(1, 21), end: at(1, 29) });
  // It is mended from there, unsaved as everything here is.
  b.change({ range: missing.range, text: "device.other" });
  await a.diagnostics(none);
  await b.diagnostics(none);
  const [target] = await e.connection.sendRequest(lsp.DefinitionRequest.type, { textDocument: b.document, position: at(1, 30) });
  assert.deepStrictEqual([target.uri, target.range.start], [a.uri, at(0, 8)]);
  const renamed = await e.connection.sendRequest(lsp.RenameRequest.type, { textDocument: b.document, position: at(1, 30), newName: "é" });
  assert.deepStrictEqual(
    renamed.documentChanges.map((c) => [c.textDocument.uri, c.textDocument.version, c.edits.length]).sort(),
    [[a.uri, a.version, 1], [b.uri, b.version, 1]],
  );
  for (const { textDocument, edits } of renamed.documentChanges) {
    const document = textDocument.uri === a.uri ? a : b;
    document.change(...edits.map((edit) => ({ range: edit.range, text: edit.newText })));
  }
  await a.diagnostics(none);
  await b.diagnostics(none);
  // A file that is closed and was never saved is gone, and so is what was wrong with it.
  e.connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: a.document });
  await b.diagnostics(one);
  a.open('device "é" {\n}\n');
  await b.diagnostics(none);
  await e.stop();
});

test("a cancelled request is answered, and the next one too", { timeout: 300000 }, async (t) => {
  const e = await start(t, ["utf-16"]);
  e.open(config);
  const source = new lsp.CancellationTokenSource();
  const asked = e.connection.sendRequest(lsp.ExecuteCommandRequest.type, { command: "memplan.plan", arguments: [{ uri: e.uri }] }, source.token);
  source.cancel();
  await asked.catch((error) => assert.strictEqual(error.code, lsp.LSPErrorCodes.RequestCancelled));
  assert.ok(await e.connection.sendRequest(lsp.HoverRequest.type, { textDocument: e.document, position: at(4, 1) }));
  await e.stop();
});
