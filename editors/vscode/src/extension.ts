import * as path from "path";
import * as vscode from "vscode";
import { ExecuteCommandSignature, LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";

import { showMap } from "./map";

// Target is what a command of the server is about: the configuration of a document, and something in it by name.
export interface Target {
  uri: string;
  pool?: string;
  graph?: string;
  rule?: string;
  tensor?: string;
  run?: string;
}

let client: LanguageClient | undefined;

// builtinScheme begins the URIs of the texts of builtin modules, which the server has.
const builtinScheme = "memplan-builtin";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("memplan.restart", restart),
    vscode.commands.registerCommand("memplan.showMemoryMap", showActiveMap),
    vscode.commands.registerCommand("memplan.run", startRun),
    vscode.workspace.registerTextDocumentContentProvider(builtinScheme, { provideTextDocumentContent: builtinText }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("memplan.server")) {
        await restart();
      }
    })
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

// start runs the server that the settings name.
async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("memplan");
  const logFile = settings.get<string>("server.logFile");
  const server: ServerOptions = {
    command: settings.get<string>("server.path") || "memplan-lsp",
    args: logFile ? ["-log-file", logFile] : [],
    transport: TransportKind.stdio,
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "memplan" }],
    initializationOptions: { startsRuns: true, opensBuiltins: true },
    middleware: { executeCommand },
  };
  client = new LanguageClient("memplan", "memplan", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `memplan: "${server.command}" does not start. Build it with "go build ./cmd/memplan-lsp" and put it on the PATH, or set memplan.server.path. (${message(error)})`
    );
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// executeCommand shows what the commands of the server return when a code lens is clicked.
async function executeCommand(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  let result: unknown;
  try {
    result = await next(command, args);
  } catch (error) {
    vscode.window.showErrorMessage(`memplan: ${message(error)}`);
    return undefined;
  }
  const target = args[0] as Target | undefined;
  switch (command) {
    case "memplan.showMap":
      showMap(target, result as string);
      break;
    case "memplan.explain":
      await showExplanation((result as { value: string }).value);
      break;
    case "memplan.plan":
      showSummary(result as Summary);
      break;
  }
  return result;
}

interface Summary {
  planned: boolean;
  pools: { name: string; peak: number; capacity: number | null }[];
  problems: string[];
}

function showSummary(summary: Summary): void {
  if (!summary.planned) {
    vscode.window.showWarningMessage(`memplan: not planned. ${summary.problems[0] ?? "The configuration has no graph."}`);
    return;
  }
  const pools = summary.pools.map((p) => `${p.name}: ${p.peak} of ${p.capacity ?? "unlimited"} bytes`);
  vscode.window.showInformationMessage(`memplan: ${pools.join("; ")}`);
}

// showExplanation opens a text beside the configuration, rendered.
async function showExplanation(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.commands.executeCommand("markdown.showPreviewToSide", document.uri);
}

async function showActiveMap(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === "memplan") {
    await vscode.commands.executeCommand("memplan.showMap", { uri: editor.document.uri.toString() });
  }
}

// startRun starts a run block in a terminal.
function startRun(target: Target): void {
  const file = vscode.Uri.parse(target.uri);
  if (file.scheme !== "file") {
    return;
  }
  const program = vscode.workspace.getConfiguration("memplan").get<string>("command.path") || "memplan";
  const whole = file.fsPath.endsWith(".memplan.hcl") ? "." : path.basename(file.fsPath);
  const terminal = vscode.window.createTerminal({ name: `memplan run ${target.run ?? ""}`, cwd: path.dirname(file.fsPath), shellPath: program, shellArgs: ["run", whole] });
  terminal.show();
}

// builtinText asks the server for the text of a builtin module.
async function builtinText(uri: vscode.Uri): Promise<string> {
  const content = await client?.sendRequest<{ text: string }>("workspace/textDocumentContent", { uri: uri.toString() });
  return content?.text ?? "";
}
