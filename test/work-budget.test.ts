import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Answer, flood, isRefusal } from './support/flood.ts';
import { signIn } from './support/service-client.ts';
import { startServiceProcess } from './support/service-process.ts';
import { zipOf } from './support/zip.ts';

const MB = 1024 * 1024;
/** Memory beside the budget: the process itself, its threads, and garbage. Without a budget the process takes 5 GB. */
const BESIDE_MB = 1_500;
const BUDGET_MB = 128;

const folder = mkdtempSync(join(tmpdir(), 'canonry-'));
mkdirSync(join(folder, 'content'));
const service = await startServiceProcess({
  DATA_DIR: folder,
  CONTENT_DIR: join(folder, 'content'),
  WORK_MEMORY_MB: String(BUDGET_MB),
});
const { token } = await signIn(service, 'register');
after(async () => {
  await service.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

const headers = { authorization: `Bearer ${token}` };

async function answered(response: Response): Promise<Answer> {
  await response.arrayBuffer();
  return response;
}

const send = (path: string, body: string): Promise<Answer> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  }).then(answered);

function sendArchive(bytes: Buffer): Promise<Answer> {
  const body = new FormData();
  body.append('archive', new Blob([new Uint8Array(bytes)]), 'vault.zip');
  body.append('dry_run', 'true');
  return fetch(`${service.url}/api/import/archive`, { method: 'POST', headers, body }).then(answered);
}

/** Every other line differs between two sides. */
const linesOf = (side: string, count: number) =>
  Array.from({ length: count }, (_, index) => (index % 2 ? `line ${index}` : `${side} ${index}`)).join('\n');

const bomb = zipOf(
  Array.from({ length: 512 }, (_, index) => ({ name: `${index}.md`, content: Buffer.alloc(512 * 1024) })),
);
/** As well packed as honest texts can be. */
const vault = zipOf([
  { name: 'Mira.md', content: 'Hi' },
  { name: 'picture.bin', content: randomBytes(0.7 * MB) },
  ...Array.from({ length: 4 }, (_, index) => ({ name: `${index}.bin`, content: Buffer.alloc(8 * MB) })),
]);
const sides = JSON.stringify({
  from: { content: linesOf('here', 150_000) },
  to: { content: linesOf('there', 150_000) },
});
const threeSides = JSON.stringify({
  base: { content: linesOf('base', 80_000) },
  local: { content: linesOf('here', 80_000) },
  remote: { content: linesOf('there', 80_000) },
});
const notes = JSON.stringify({
  files: Array.from({ length: 40 }, (_, index) => ({
    path: `People/N${index}.md`,
    content: `---\nborn: ${index}\n---\n${'A long story. '.repeat(8_000)}`,
  })),
});

for (const { what, sendOne, expected } of [
  { what: 'archives that unpack to 256 MB', sendOne: () => sendArchive(bomb), expected: 413 },
  { what: 'archives of 32 MB', sendOne: () => sendArchive(vault), expected: 200 },
  { what: 'previews of imports', sendOne: () => send('/api/import/preview', notes), expected: 200 },
  { what: 'comparisons', sendOne: () => send('/api/entity/character/compare', sides), expected: 200 },
  { what: 'merges', sendOne: () => send('/api/entity/character/smart-merge', threeSides), expected: 200 },
  { what: 'validations', sendOne: () => send('/api/entity/validate/all', '{}'), expected: 200 },
]) {
  test(`50 ${what} at once leave the service answering and its memory bounded`, async () => {
    const { answers, most } = await flood(service, sendOne);
    for (const answer of answers)
      assert.ok(answer.status === expected || isRefusal(answer), `it answered ${answer.status}`);
    assert.ok(
      answers.some(({ status }) => status === expected),
      'none was answered',
    );
    assert.ok(most < BUDGET_MB + BESIDE_MB, `the process had ${most} MB`);
  });
}
