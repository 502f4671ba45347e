"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

// start runs the server that the settings name.
async function start() {
  const settings = vscode.workspace.getConfiguration("memplan");
  const logFile = settings.get("server.logFile");
  const server = {
    command: settings.get("server.path") || "memplan-lsp",
    args: logFile ? ["-log-file", logFile] : [],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("memplan", "memplan", server, {
    documentSelector: [{ language: "memplan" }],
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `memplan: "${server.command}" does not start. Build it with "go build ./cmd/memplan-lsp" and put it on the PATH, or set memplan.server.path. (${error.message})`
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("memplan.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("memplan.server")) {
        await stop();
        await start();
      }
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
