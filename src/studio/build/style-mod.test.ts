import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { adoptStyleSheets } from './style-mod.ts';

const INSTALLED = join(dirname(createRequire(import.meta.url).resolve('style-mod')), '../src/style-mod.js');

test('the installed style-mod adopts style sheets in documents', () => {
  const code = adoptStyleSheets(readFileSync(INSTALLED, 'utf8'));
  assert.match(code, /if \(root\.adoptedStyleSheets && win\.CSSStyleSheet\)/);
});

test('one that has changed is refused, with the text that was looked for', () => {
  assert.throws(() => adoptStyleSheets('export class StyleModule {}'), /stands 0 times in it/);
});
