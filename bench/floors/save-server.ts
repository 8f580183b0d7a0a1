import {
  closeSync,
  constants,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openRows } from './save.ts';
import { serve } from './serve.ts';

/**
 * A minimal server with the floor's way of saving, without tokens, checks and YAML. Concurrent saves sync in parallel and
 * share a commit.
 */
const folder = process.argv[2] ?? '';
const { db, put } = openRows(folder);
const putAll = db.transaction((rows: readonly Row[]) => {
  for (const { id, text } of rows) put.run(id, text);
});
const syncBeside = promisify(fsync);

interface Row {
  id: string;
  text: string;
  resolve(): void;
}

interface Save {
  entity_id?: string;
  fields: Record<string, unknown>;
  markdown_body?: string;
}

let waiting: Row[] = [];
let saving = 0;
let drafts = 0;

function commitAll(): void {
  const rows = waiting;
  waiting = [];
  putAll(rows);
  for (const { resolve } of rows) resolve();
}

const commit = (id: string, text: string): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commitAll);
    waiting.push({ id, text, resolve });
  });

async function syncAndClose(fd: number): Promise<void> {
  if (saving === 1) fsyncSync(fd);
  else await syncBeside(fd);
  closeSync(fd);
}

const syncFolder = (path: string): Promise<void> =>
  syncAndClose(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));

async function save(id: string, text: string, isNew: boolean): Promise<void> {
  const place = join(folder, id);
  if (isNew) mkdirSync(place);
  drafts += 1;
  const temporary = join(place, `.temporary-${drafts}`);
  const fd = openSync(temporary, 'w');
  writeSync(fd, text);
  await syncAndClose(fd);
  renameSync(temporary, join(place, `${id}.md`));
  await Promise.all([syncFolder(place), isNew ? syncFolder(folder) : undefined]);
  await commit(id, text);
}

const textOf = (fields: Save['fields'], body: string): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')}---\n${body}`;

const changed = (id: string, want: unknown): string =>
  readFileSync(join(folder, id, `${id}.md`), 'utf8').replace(/^want: .*$/m, `want: ${want}`);

async function bodyOf(request: IncomingMessage): Promise<Save> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Save;
}

serve(async (request, response) => {
  const { entity_id: created, fields, markdown_body = '' } = await bodyOf(request);
  const id = created ?? request.url?.split('/').at(-1) ?? '';
  saving += 1;
  if (created === undefined) await save(id, changed(id, fields.want), false);
  else await save(id, textOf(fields, markdown_body), true);
  saving -= 1;
  const text = JSON.stringify({ id });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
