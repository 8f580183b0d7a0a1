import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { configTableMarkdown } from '../src/kit/config/index.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const readme = readFileSync(pathOf('README.md'), 'utf8');

test('the table of variables is the one that the code has (npm run canonry -- config --markdown)', () => {
  const table = /<!-- config:start -->\n([\s\S]*?)\n<!-- config:end -->/.exec(readme)?.[1];
  assert.equal(table?.trim(), configTableMarkdown().trim());
});

test('every page that the README and ARCHITECTURE name is there', () => {
  const texts = [
    readme,
    readFileSync(pathOf('ARCHITECTURE.md'), 'utf8'),
    readFileSync(pathOf('llms.txt'), 'utf8'),
  ];
  const pages = texts.flatMap((text) =>
    [...text.matchAll(/\]\(([\w./-]+)\)/g)].map((match) => match[1] ?? ''),
  );
  assert.ok(pages.length > 5);
  for (const page of pages) assert.ok(existsSync(pathOf(page)), page);
});
