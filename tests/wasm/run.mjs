// Runs a program for wasm32-unknown-unknown: node tests/wasm/run.mjs program.wasm. A trap, which is what a panic becomes, ends it with an error.
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
process.exitCode = instance.exports.main(0, 0);
