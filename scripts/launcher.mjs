#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';

// Compiled code is kept beside the bundle, for worker threads too: the second start skips most of the parsing.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache');
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
// Maps of the whole bundle cost memory and time at every start; whoever looks into things can afford them.
if ((process.env.RUST_LOG ?? process.env.LOG_LEVEL) === 'debug') process.setSourceMapsEnabled(true);
await import('./main.js');
