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
    // diagnostics waits until those of the document's version are as wanted.
    diagnostics(wanted) {
      return new Promise((resolve) => {
        const check = () => {
          const p = published.get(uri);
          if (p && p.version === editor.version && wanted(p.diagnostics)) {
            waiting.splice(waiting.indexOf(check), 1);
            resolve(p.diagnostics);
          }
        };
        waiting.push(check);
        check();
      });
    },
    open(text) {
      connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "memplan", version: ++editor.version, text } });
    },
    change(...changes) {
      connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: ++editor.version }, contentChanges: changes });
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
