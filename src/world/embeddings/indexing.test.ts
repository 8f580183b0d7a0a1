import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { signIn } from '../../../test/support/service-client.ts';
import { type ServiceProcess, startServiceProcess } from '../../../test/support/service-process.ts';
import { until } from '../../../test/support/until.ts';
import { passagesOf } from '../../content/passages/index.ts';
import { fillContentFolder } from '../../surfaces/starter.ts';

const ENTITIES = 40;
const TRADES = [
  'smuggler',
  'baker',
  'bell founder',
  'tide reader',
  'lamp keeper',
  'rope maker',
  'cook',
  'pilot',
];

interface Status {
  index: { state: string; done: number; total: number };
  passages: number;
}

interface SearchReply {
  groups: { entities: { entity_id: string; score: number }[] }[];
}

const pathOf = (contentDir: string, id: string): string => join(contentDir, 'Characters', id, `CH_${id}.md`);

/** Resolves to the number of their passages. */
function writeCharacters(contentDir: string): number {
  let passages = 0;
  for (let at = 0; at < ENTITIES; at += 1) {
    const id = `person_${at}`;
    const trade = TRADES[at % TRADES.length];
    const text = `---\nid: ${id}\nentity_type: character\nname: Person ${at}\nsummary: The ${trade} of house ${at}, who keeps to the rules.\n---\n\n## Day\n\nBefore dawn the ${trade} is at work, and nobody in house ${at} may speak of it.\n`;
    mkdirSync(join(contentDir, 'Characters', id), { recursive: true });
    writeFileSync(pathOf(contentDir, id), text);
    passages += passagesOf(readFileSync(pathOf(contentDir, id), 'utf8')).length;
  }
  return passages;
}

forEachDatabase((name, open) => {
  test(`reading goes on after kill -9, and while others ask (${name})`, { timeout: 240_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'indexing-'));
    const contentDir = join(folder, 'content');
    const database = await open();
    const running: ServiceProcess[] = [];
    t.after(async () => {
      for (const service of running) await service.end('SIGKILL');
      await database.close();
      rmSync(folder, { recursive: true });
    });
    await database.release();
    const start = async () => {
      const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: contentDir, DATABASE_URL: database.url };
      const service = await startServiceProcess(env);
      running.push(service);
      return service;
    };
    await fillContentFolder(contentDir, { sample: false });
    const expected = writeCharacters(contentDir);

    const first = await start();
    const before = await signIn(first, 'register');
    await before.settled();
    await before.call('GET', '/api/search?q=anyone&mode=semantic');
    const halfway = await before.call<Status>('GET', '/api/ai/embeddings');
    assert.ok(halfway.passages < expected, 'it was too quick to be cut');
    await until(async () => (await before.call<Status>('GET', '/api/ai/embeddings')).passages > 5);
    await first.end('SIGKILL');

    const second = await start();
    const writer = await signIn(second, 'login');
    await writer.settled();
    const status = () => writer.call<Status>('GET', '/api/ai/embeddings');
    const find = (query: string) =>
      writer.call<SearchReply>('GET', `/api/search?q=${encodeURIComponent(query)}&mode=semantic&limit=5`);

    let answered = 0;
    const searches = Array.from({ length: 50 }, (_, at) =>
      find(`${TRADES[at % TRADES.length]} at work`).finally(() => {
        answered += 1;
      }),
    );
    let healthy = 0;
    while (answered < searches.length) {
      assert.equal((await fetch(`${second.url}/health`)).status, 200);
      healthy += 1;
    }
    await Promise.all(searches);
    assert.ok(healthy > 10, `${healthy} answers of /health beside 50 searches`);

    await until(async () => (await status()).index.state === 'ready', status);
    const { index, passages } = await status();
    assert.deepEqual([index.done, index.total, passages], [ENTITIES, ENTITIES, expected]);
    const { groups } = await find('the baker of house 9 works before dawn');
    const best = groups.flatMap(({ entities }) => entities).map(({ entity_id }) => entity_id);
    assert.ok(best.includes('person_9') || best.includes('person_1'), best.join(', '));
  });
});
