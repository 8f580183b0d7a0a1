import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ImportResult } from '../imports/imports.service.ts';

const LIMIT = 65_536;
const ENV = { MAX_TEXT_BYTES: String(LIMIT) };
const CHARACTER = '/api/entity/character';
const TOLD = /has \d+ bytes; a text may have 65536 \(setting MAX_TEXT_BYTES\)/;

forEachDatabase((_name, open) => {
  describe('a text over the limit', () => {
    test('that lies in the folder is not read: it is told with file and limit, and what was there stays', async () => {
      const core = await startCore({ open, env: ENV });
      try {
        const [project] = core.projects.opened();
        assert.ok(project);
        for (const id of ['ada', 'eve'])
          await core.call('POST', CHARACTER, { body: { entity_id: id, name: id } });
        const pathOf = (id: string, name = `CH_${id}.md`) => join(core.contentDir, 'Characters', id, name);
        // A sparse file of two hundred million zeros.
        truncateSync(pathOf('ada'), 200_000_000);
        mkdirSync(dirname(pathOf('bob')));
        writeFileSync(pathOf('bob', 'Bob.md'), '---\nid: bob\nname: Bob\n---\n');
        writeFileSync(pathOf('bob', 'notes.md'), '');
        truncateSync(pathOf('bob', 'notes.md'), 200_000_000);
        const report = await core.mirror.sync(project, { kind: 'full' });
        assert.deepEqual(
          report.invalid.map(({ path }) => path),
          ['Characters/ada/CH_ada.md'],
        );
        assert.match(report.invalid[0]?.reason ?? '', TOLD);
        assert.equal((await core.call<{ name: string }>('GET', `${CHARACTER}/ada`)).body.name, 'ada');
        assert.equal((await core.call<{ name: string }>('GET', `${CHARACTER}/bob`)).body.name, 'Bob');
        for (const body of [{ name: 'Ada' }, { name: 'Ada', overwrite: true }]) {
          const refused = await core.call('PUT', `${CHARACTER}/ada`, { body });
          assert.equal(refused.status, 409, refused.text);
          assert.match(refused.text, TOLD);
        }
        assert.equal(statSync(pathOf('ada')).size, 200_000_000);
      } finally {
        await core.close();
      }
    });

    test('is taken in by no other way either, and the limit itself is enough', async () => {
      const core = await startCore({ open, env: ENV });
      try {
        const head = '---\nid: ada\nname: Ada\n---\n';
        const whole = head + 'x'.repeat(LIMIT - head.length);
        const larger = `${whole}y`;
        const send = (path: string, body: object, method = 'POST') => core.call(method, path, { body });
        const fits = await send(`${CHARACTER}/import`, { content: whole });
        assert.equal(fits.status, 201, fits.text);
        const ways = [
          send(`${CHARACTER}/import`, { content: larger, mode: 'replace' }),
          send(`${CHARACTER}/ada`, { markdown_body: larger }, 'PUT'),
          send(CHARACTER, { entity_id: 'eve', name: 'Eve', markdown_body: larger }),
          send(CHARACTER, { entity_id: 'ada', name: 'Ada', markdown_body: larger }),
        ];
        for (const refused of await Promise.all(ways)) {
          assert.equal(refused.status, 413, refused.text);
          assert.match(refused.text, /MAX_TEXT_BYTES/);
        }
        const push = await send('/api/desktop/sync/push', {
          client_timestamp: '2026-03-01T12:00:00.000Z',
          entities: [
            {
              entity_type: 'character',
              entity_id: 'eve',
              version: 1,
              fields: {},
              name: 'Eve',
              markdown_body: larger,
            },
          ],
        });
        assert.match(push.text, /MAX_TEXT_BYTES/);
        const notes = await core.call<ImportResult>('POST', '/api/import/smart', {
          body: { files: [{ path: 'People/Eve.md', content: larger }] },
        });
        assert.match(notes.body.refused[0]?.reason ?? '', TOLD);
        const file = join(core.contentDir, 'Characters/ada/CH_ada.md');
        assert.equal(readFileSync(file, 'utf8'), whole);
      } finally {
        await core.close();
      }
    });
  });
});
