// Runs a model in a peer and times it: onnxruntime for .onnx files, the WebAssembly build of TensorFlow Lite for .tflite.
//
//   node peer.js MODEL THREADS SHAPE
//
// SHAPE is that of the input, as "1,3,48,192". Each line of standard input is a number of runs; the answer is a line with
// their times in milliseconds, as a JSON array, given when the process is at rest. The input is the one that testdata/models/golden was made with.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const [model, threads, shape] = process.argv.slice(2);
const dims = shape.split(',').map(Number);

function ramp(n) {
  const values = new Float32Array(n);
  for (let i = 0; i < n; i++) values[i] = Number((BigInt(i) * 2654435761n) % 65536n) / 65536;
  return values;
}

// onnx returns a function that runs the model once.
async function onnx() {
  const ort = require('onnxruntime-node');
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: Number(threads), interOpNumThreads: 1 });
  const size = dims.reduce((a, b) => a * b, 1);
  const feeds = { [session.inputNames[0]]: new ort.Tensor('float32', ramp(size), dims) };
  return () => session.run(feeds);
}

// tflite does the same in a process that looks like a browser as far as the interpreter looks.
async function tflite() {
  const folder = path.join(path.dirname(require.resolve('@tensorflow/tfjs-tflite/package.json')), 'wasm');
  globalThis.self = globalThis.window = globalThis;
  globalThis.document = { currentScript: { src: '' } };
  const factory = require(path.join(folder, 'tflite_web_api_cc_simd.js'));
  const module = await factory({ wasmBinary: fs.readFileSync(path.join(folder, 'tflite_web_api_cc_simd.wasm')) });
  const bytes = fs.readFileSync(model);
  const at = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, at);
  const options = { numThreads: Number(threads), enableProfiling: false, maxProfilingBufferEntries: 1024 };
  const made = module.TFLiteWebModelRunner.CreateFromBufferAndOptions(at, bytes.length, options);
  if (!made.ok()) throw new Error(made.errorMessage());
  const runner = made.value();
  const input = runner.GetInputs().get(0).data();
  input.set(ramp(input.length));
  return async () => {
    if (!runner.Infer()) throw new Error('the interpreter failed');
  };
}

// rested resolves when the process uses no processor any more: idle threads of onnxruntime spin for tens of milliseconds after
// a run, on the core that the other side's turn needs.
async function rested() {
  for (let spun = Infinity; spun > 1000; ) {
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { user, system } = process.cpuUsage(before);
    spun = user + system;
  }
}

(async () => {
  const run = await (model.endsWith('.onnx') ? onnx() : tflite());
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const times = [];
    for (let i = 0; i < Number(line); i++) {
      const began = process.hrtime.bigint();
      await run();
      times.push(Number(process.hrtime.bigint() - began) / 1e6);
    }
    await rested();
    console.log(JSON.stringify(times));
  }
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
