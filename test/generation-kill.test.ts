import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import type { FillReply } from '../src/world/generation/fill/fill.contract.ts';
import type { Proposal } from '../src/world/proposals/index.ts';
import { type OpenedDatabase, openTestSqlite } from './support/databases.ts';
import { type LlmServer, startLlmServer } from './support/llm/server.ts';
import { type ServiceClient, signIn } from './support/service-client.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'generation-kill-'));
const contentDir = join(folder, 'content');
const ANSWER = '{"fields": {"want": "A key", "need": "Rest"}}';
const WISH = { entity_type: 'character', entity_id: 'ada', target: { fields: ['want', 'need'] } };

let database: OpenedDatabase;
let llm: LlmServer;
const running: ServiceProcess[] = [];

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    DATA_DIR: join(folder, 'data'),
    CONTENT_DIR: contentDir,
    DATABASE_URL: database.url,
    AI_BASE_URL: llm.url,
    AI_MODEL: 'scripted-1',
  });
  running.push(service);
  return service;
}

before(async () => {
  database = await openTestSqlite();
  await database.release();
  await fillContentFolder(contentDir, { sample: false });
  llm = await startLlmServer();
});
after(async () => {
  await Promise.all(running.map((service) => service.end('SIGKILL')));
  await llm.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const proposalsOf = async (writer: ServiceClient): Promise<Proposal[]> =>
  (await writer.call<{ proposals: Proposal[] }>('GET', '/api/ai/proposals?limit=200')).proposals;

/** Each is whole: everything that was asked for is in it. */
function assertWhole(proposals: readonly Proposal[]): void {
  for (const { field_states, status } of proposals)
    assert.deepEqual([Object.keys(field_states).sort(), status], [['need', 'want'], 'pending']);
}

test('a service that is killed while models answer leaves whole proposals or none, and fills go on', {
  timeout: 240_000,
}, async () => {
  const first = await start();
  const writer = await signIn(first, 'register');
  for (const id of ['ada', 'bo', 'cy', 'di', 'ed', 'flo'])
    await writer.call('POST', '/api/entity/character', { entity_id: id, name: id });

  // Killed before the first word, and in the middle of the answer.
  for (const silent of ['at_once', 'later'] as const) {
    const service = running.at(-1) ?? first;
    const caller = service === first ? writer : await signIn(service, 'login');
    llm.script({ text: ANSWER, silent });
    const cut = assert.rejects(caller.call('POST', '/api/ai/generate', WISH));
    await until(() => llm.open() === 1);
    await service.end('SIGKILL');
    await cut;
    await until(() => llm.open() === 0);
    const again = await signIn(await start(), 'login');
    assert.deepEqual(await proposalsOf(again), []);
  }

  // A fill is killed again and again while it runs, at whatever it is doing then.
  llm.script({ text: ANSWER });
  let client = await signIn(running.at(-1) ?? first, 'login');
  const body = { entity_type: 'character', fields: ['want', 'need'], max_credits: 1_000 };
  const { run_id: id } = await client.call<FillReply>('POST', '/api/ai/fill', body);
  const asked = llm.chats().length;
  for (const wanted of [1, 3]) {
    await until(() => llm.chats().length >= asked + wanted);
    await running.at(-1)?.end('SIGKILL');
    client = await signIn(await start(), 'login');
  }
  let run: FillReply | undefined;
  await until(
    async () => {
      run = await client.call<FillReply>('GET', `/api/ai/fill/${id}`);
      return run.status === 'done';
    },
    () => run,
  );
  assert.deepEqual([run?.total, run?.proposed, run?.failed], [6, 6, 0]);
  const proposals = await proposalsOf(client);
  assertWhole(proposals);
  const names = proposals.map(({ entity_id }) => entity_id).sort();
  assert.deepEqual(names, ['ada', 'bo', 'cy', 'di', 'ed', 'flo'], 'one proposal for each entity');
});
