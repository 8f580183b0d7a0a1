import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Entity {
  detail: string;
  errors: { field: string; message: string }[];
  is_valid: boolean;
  production_status: Record<string, string> | null;
  validation_errors: { field: string; code: string; severity: string; line: number; message: string }[];
}

const URL = '/api/entity/character/mira';

forEachDatabase((_name, open) => {
  describe('production_status', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'mira', name: 'Mira' } });
    });
    after(() => core.close());

    const put = (production_status: unknown) =>
      core.call<Entity>('PUT', URL, { body: { production_status } });

    test('takes the words of its lists alone', async () => {
      const refused: [unknown, RegExp][] = [
        [{ general: 'done' }, /production_status\.general.* must be one of concept, .*complete/],
        [{ general: 'complet' }, /did you mean 'complete'\?/],
        [{ game_platform: 'episode' }, /must be one of none, planned/],
        [{ tv_showrunner: 3 }, /production_status\.tv_showrunner/],
        [{ notes: ['a'] }, /production_status\.notes/],
        [{ genral: 'concept' }, /production_status\.genral.*did you mean 'general'\?/],
        ['concept', /production_status/],
      ];
      for (const [value, detail] of refused) {
        const { status, body } = await put(value);
        assert.equal(status, 422, JSON.stringify(value));
        assert.match(body.detail, detail);
      }
      const good = { general: 'needs_work', game_platform: 'live', tv_showrunner: 'episode', notes: 'Soon' };
      const { status, body } = await put(good);
      assert.deepEqual([status, body.production_status, body.is_valid], [200, good, true]);
    });

    test('of a file is kept and reported with its line', async () => {
      await put({ general: 'concept', notes: '' });
      const file = join(core.contentDir, 'Characters/mira/CH_mira.md');
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/general: concept/, 'general: done\n  novel: drafted'),
      );
      await core.call('POST', '/api/entity/sync/all');
      const { body } = await core.call<Entity>('GET', URL);
      assert.equal(body.production_status?.general, 'done');
      assert.equal(body.is_valid, false);
      assert.deepEqual(
        body.validation_errors.map(({ field, code, severity }) => [field, code, severity]),
        [
          ['production_status.general', 'unknown_status', 'warning'],
          ['production_status.novel', 'unknown_key', 'warning'],
        ],
      );
      const [general, novel] = body.validation_errors;
      assert.equal((novel?.line ?? 0) - (general?.line ?? 0), 1);
    });

    test('is offered by schemas with its words', async () => {
      const { body } = await core.call<Record<string, unknown>>('GET', '/api/entity/character/schema');
      const { production_status } = body['x-attributes'] as Record<string, { properties: object }>;
      assert.deepEqual(Object.keys(production_status?.properties ?? {}), [
        'general',
        'game_platform',
        'tv_showrunner',
        'notes',
      ]);
    });
  });
});
