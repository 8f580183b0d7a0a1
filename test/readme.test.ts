import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { configTableMarkdown } from '../src/kit/config/index.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const readme = readFileSync(pathOf('README.md'), 'utf8');

test('the table of variables is the one that the code has (npm run canonry -- config --markdown)', () => {
  const table = /<!-- config:start -->\n([\s\S]*?)\n<!-- config:end -->/.exec(readme)?.[1];
  assert.equal(table?.trim(), configTableMarkdown().trim());
});
