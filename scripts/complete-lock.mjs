/**
 * Adds to package-lock.json the optional packages of other platforms. npm leaves out those that it could not look up, and
 * `npm ci` then refuses the lock file. Run it after `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { missingOptionals } from './lib/lock-optionals.mjs';
import { inRoot } from './lib/paths.mjs';

const file = inRoot('package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingOptionals(lock.packages);
const [[root, own], ...others] = Object.entries(lock.packages);
const sorted = [...others, ...Object.entries(missing)].sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = { [root]: own, ...Object.fromEntries(sorted) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${Object.keys(missing).length} packages added`);
