#!/usr/bin/env node
import { join } from 'node:path';
import { beginLean } from './lean.js';
import { isSupported, tooOld } from './node-version.js';

if (!isSupported(process.versions.node)) {
  console.error(tooOld(process.versions.node));
  process.exit(2);
}

// Compiled code is cached beside the bundle, for worker threads too: the second start skips most of the parsing.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache');
if (process.argv[2] === 'serve') beginLean(import.meta.filename, process.argv.slice(2));
process.getBuiltinModule('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Source maps of the whole bundle cost memory and time at every start, so only debugging loads them.
if ((process.env.RUST_LOG ?? process.env.LOG_LEVEL) === 'debug') process.setSourceMapsEnabled(true);
await import('./main.js');
