// Writes what the starter of plugins has of the world of guests: run it after a change of plugin.wit.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { typesOfWit } from './lib/wit-types.mjs';

const WIT = inRoot('src/platform/guests/wit/plugin.wit');
const INTO = inRoot('starter/plugin/canonry');

copyFileSync(WIT, `${INTO}/plugin.wit`);
writeFileSync(`${INTO}/world.d.ts`, typesOfWit(readFileSync(WIT, 'utf8')));
