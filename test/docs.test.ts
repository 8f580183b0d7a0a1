import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'test', 'scripts', 'bench', 'docs'];

/** The target of a link within the repository, without its fragment. */
const LINK = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^\w[\w.-]*(?:\/[\w.-]+)*\/?$/;
const SOURCE = /\.(?:ts|mjs)$/;
/** Pages may name sources relative to these, and to their own folder. The last three are parts of a new plugin. */
const PLUGIN = ['starter/plugin', 'starter/plugin/panel', 'starter/plugin/back'];
const STARTS = ['.', 'src', 'src/world', 'src/people', 'src/exchange', ...PLUGIN];

const filesLike = (end: string): string[] =>
  globSync(
    FOLDERS.map((folder) => `${folder}/**/*${end}`),
    { cwd: root },
  );
const pages = ['README.md', 'llms.txt', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesLike('.md')];
const sources = new Set([...filesLike('.ts'), ...filesLike('.mjs')].map((file) => basename(file)));

function isNamedRight(page: string, name: string): boolean {
  if (!PATH.test(name)) return true;
  if (!name.includes('/')) return !SOURCE.test(name) || sources.has(name);
  const isPath = SOURCE.test(name) || FOLDERS.some((folder) => name.startsWith(`${folder}/`));
  return !isPath || [dirname(page), ...STARTS].some((start) => existsSync(join(root, start, name)));
}

function missingIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(LINK)].map(([, link = '']) => link);
  const names = [...text.matchAll(CODE)].map(([, code = '']) => code);
  return [
    ...links.filter((link) => !existsSync(join(root, dirname(page), link))),
    ...names.filter((name) => !isNamedRight(page, name)),
  ].map((name) => `${page}: ${name}`);
}

test('every file, folder and page that the pages about the code name is there', () => {
  assert.ok(pages.length > 4);
  assert.deepEqual(pages.flatMap(missingIn), []);
});
