import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Merged {
  clean: boolean;
  structured: boolean;
  base_version: number | null;
  name: string;
  fields: Record<string, unknown>;
  markdown_body: string;
  content: string;
  conflicts: { field: string; base?: unknown; local?: unknown; remote?: unknown }[];
  proposed_body: string;
  detail: string;
}

interface Compared {
  identical: boolean;
  summary: string;
  fields: { field: string; kind: string }[];
  text: string;
}

forEachDatabase((_name, open) => {
  describe('compare and merge', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      const body = {
        entity_id: 'mira',
        name: 'Mira',
        markdown_body: 'One.\n\nTwo.\n',
        fields: { occupation: 'Reader' },
      };
      await core.call('POST', '/api/entity/character', { body });
      await core.call('PUT', '/api/entity/character/mira', { body: { fields: { occupation: 'Master' } } });
      await core.call('PUT', '/api/entity/character/mira', {
        body: { markdown_body: 'One.\n\nTwo!\nThree.\n' },
      });
    });
    after(() => core.close());

    const fileText = () => readFileSync(join(core.contentDir, 'Characters/mira/CH_mira.md'), 'utf8');
    const compare = (body: object) => core.call<Compared>('POST', '/api/entity/character/compare', { body });
    const merge = (body: object) => core.call<Merged>('POST', '/api/entity/character/smart-merge', { body });

    test('two versions, and a version against now, are compared in words, by field and as a unified diff', async () => {
      const two = await compare({ entity_id: 'mira', from: { version: 1 }, to: { version: 2 } });
      assert.equal(two.body.summary, '1 field changed: occupation');
      assert.match(two.body.text, /^--- version 1\n\+\+\+ version 2\n@@ .*@@\n/m);
      assert.match(two.body.text, /^-occupation: Reader\n\+occupation: Master$/m);
      const now = await compare({ entity_id: 'mira', from: { version: 1 } });
      assert.equal(now.body.summary, '1 field changed: occupation; text +2 −1 lines');
      const same = await compare({ entity_id: 'mira', from: { content: fileText() } });
      assert.deepEqual([same.body.identical, same.body.summary, same.body.text], [true, 'No difference', '']);
    });

    test('the diff of two revisions says who, when, by which way and in words', async () => {
      const url = '/api/entity/character/mira/revisions/1/diff?against=2';
      const { body } = await core.call<Compared & { to_revision: Record<string, unknown> }>('GET', url);
      const { version, source, created_by_name } = body.to_revision;
      assert.deepEqual([version, source, created_by_name], [2, 'api', 'Admin']);
      assert.equal(body.summary, '1 field changed: occupation');
      assert.match(body.text, /^\+occupation: Master$/m);
    });

    test('texts and contents are compared without an entity', async () => {
      const { body } = await compare({
        from: { content: '---\nid: x\nage: 1\n---\n\nOld\n' },
        to: { fields: { age: 2 }, markdown_body: 'Old\n' },
      });
      assert.deepEqual(body.fields, [{ field: 'age', kind: 'changed', before: 1, after: 2 }]);
    });

    test('sides that say nothing, or too much, or name no entity are refused', async () => {
      for (const from of [{}, { version: 1, content: 'x' }, { content: 'x', fields: {} }, { version: 1 }]) {
        const reply = await compare({ from, to: { content: 'x' } });
        assert.equal(reply.status, 422, JSON.stringify(from));
      }
      assert.equal((await compare({ from: { content: 'x' } })).status, 422);
      assert.equal((await compare({ entity_id: 'mira', from: { version: 99 } })).status, 404);
      assert.equal((await compare({ entity_id: 'nobody', from: { version: 1 } })).status, 404);
    });

    test('a merge takes what does not overlap and shows both sides of what does; nothing is saved', async () => {
      const before = fileText();
      const reply = await merge({
        entity_id: 'mira',
        base: { version: 1 },
        local: { version: 3 },
        remote: {
          name: 'Mira Vale',
          fields: { occupation: 'Sailor', age: 30 },
          markdown_body: 'Zero.\n\nOne.\n\nTwo.\n',
        },
      });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual([reply.body.clean, reply.body.structured, reply.body.base_version], [false, true, 1]);
      assert.deepEqual(
        reply.body.conflicts.filter(({ field }) => field === 'occupation'),
        [{ field: 'occupation', base: 'Reader', local: 'Master', remote: 'Sailor' }],
      );
      assert.equal(reply.body.name, 'Mira Vale');
      assert.equal(reply.body.fields.age, 30);
      assert.equal(reply.body.markdown_body, 'Zero.\n\nOne.\n\nTwo!\nThree.\n');
      assert.match(reply.body.content, /^entity_type: character$/m);
      assert.equal(fileText(), before);
    });

    test('two versions of one entity need no base', async () => {
      const reply = await merge({ entity_id: 'mira', local: { version: 2 }, remote: { version: 3 } });
      assert.deepEqual([reply.body.clean, reply.body.base_version], [true, 2]);
      assert.equal(reply.body.content, fileText());
      const without = await merge({ entity_id: 'mira', local: { version: 2 }, remote: { content: 'x' } });
      assert.equal(without.status, 422);
      assert.match(without.body.detail, /base/);
    });
  });
});
