import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import { snapshot as filesBelow } from './support/cli.ts';
import { forEachDatabase } from './support/databases.ts';
import { type ServiceClient, signIn } from './support/service-client.ts';
import { startMortalService } from './support/service-process.ts';

const REFERRERS = 80;
/** The number of entries in place when a rename, a migration and their undos are cut short. Both databases use the same disk. */
const DEATHS = {
  sqlite: { rename: [1, 50], migration: [70, 7] },
  postgres: { rename: [30, 2], migration: null },
} as const;

interface Operation {
  operation_id: string;
  status: string;
}

/** By path, without the half-written temporary files of a kill. */
const snapshot = (contentDir: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesBelow(contentDir)).filter(([path]) => !/^_Templates|\/\.canonry-/.test(path)),
  );

async function fill(contentDir: string): Promise<void> {
  await fillContentFolder(contentDir, { sample: false });
  const put = (folder: string, file: string, text: string) => {
    mkdirSync(join(contentDir, folder), { recursive: true });
    writeFileSync(join(contentDir, folder, file), text);
  };
  put('Characters/mira', 'CH_mira.md', '---\nid: mira\nname: Mira\n---\n\nShe.\n');
  put('Characters/mira/images', 'face.png', 'pixels');
  for (let index = 0; index < REFERRERS; index += 1) {
    const text = `---\nid: place_${index}\nname: Place ${index}\nowner: mira\npopulation: "${index}"\n---\n\nHome of [[mira]].\n`;
    put(`Locations/place_${index}`, `LOC_place_${index}.md`, text);
  }
}

forEachDatabase((name, open) => {
  test(`a rename and a migration that kill -9 cuts short are whole after the next start (${name})`, {
    timeout: 300_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'operation-'));
    const contentDir = join(folder, 'content');
    const opened = await open();
    await opened.release();
    await fill(contentDir);
    const env = { DATA_DIR: join(folder, 'data'), CONTENT_DIR: contentDir, DATABASE_URL: opened.url };
    let service = await startMortalService(env);
    let writer: ServiceClient = await signIn(service, 'register');
    const seen = new Set<string>();

    /** The service dies during the operation and is restarted; resolves to the operation's id. */
    async function cutShort(method: string, path: string, body: object | undefined, after: number) {
      await service.dieAfter(after, contentDir);
      await assert.rejects(writer.call(method, path, body), /fetch failed/);
      await service.end('SIGKILL');
      service = await startMortalService(env);
      writer = await signIn(service, 'login');
      await writer.settled();
      const { operations } = await writer.call<{ operations: Operation[] }>(
        'GET',
        '/api/operations/history?limit=1',
      );
      const { operation_id: id, status } = operations[0] ?? { operation_id: '', status: 'unknown' };
      assert.deepEqual([status, seen.has(id)], ['done', false], `${method} ${path}, cut after ${after}`);
      seen.add(id);
      assert.deepEqual(await writer.sync(), [0, 0, 0]);
      return id;
    }

    try {
      await writer.settled();
      const before = snapshot(contentDir);
      const deaths = DEATHS[name];
      const rename = { entity_type: 'character', old_id: 'mira', new_id: 'mira_vale' };
      const renamed = await cutShort('POST', '/api/rename-entity', rename, deaths.rename[0]);
      const { name: kept } = await writer.call<{ name: string }>('GET', '/api/entity/character/mira_vale');
      assert.equal(kept, 'Mira');
      const files = snapshot(contentDir);
      assert.ok('Characters/mira_vale/images/face.png' in files);
      for (const text of Object.values(files)) {
        assert.doesNotMatch(Buffer.from(text, 'hex').toString(), /\bmira\b/);
      }
      await cutShort('POST', `/api/operations/${renamed}/undo`, undefined, deaths.rename[1]);
      assert.deepEqual(snapshot(contentDir), before);

      if (deaths.migration !== null) {
        const changes = [
          { kind: 'retype', field: 'population', type: 'number' },
          { kind: 'rename', field: 'owner', to: 'landlord' },
        ];
        const migration = { changes, update_template: true };
        const migrated = await cutShort(
          'POST',
          '/api/templates/location/migration',
          migration,
          deaths.migration[0],
        );
        for (const [path, text] of Object.entries(snapshot(contentDir))) {
          if (!path.startsWith('Locations/')) continue;
          assert.match(Buffer.from(text, 'hex').toString(), /\nlandlord: mira\npopulation: \d+\n/);
        }
        await cutShort('POST', `/api/operations/${migrated}/undo`, undefined, deaths.migration[1]);
        assert.deepEqual(snapshot(contentDir), before);
      }
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      await service.end('SIGKILL');
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
