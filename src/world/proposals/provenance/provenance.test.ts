import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { proposalTools } from '../../../../test/support/proposals.ts';
import type { DisclosedEntity } from './disclosure.service.ts';
import type { Provenance } from './provenance.service.ts';

forEachDatabase((_name, open) => {
  describe('provenance', () => {
    let core: TestCore;
    let tools: ReturnType<typeof proposalTools>;
    before(async () => {
      core = await startCore({ open });
      tools = proposalTools(core);
    });
    after(() => core.close());

    const provenance = async (id: string) => {
      const reply = await core.call<Provenance>('GET', `/api/entity/character/${id}/provenance`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const disclosure = (format: string) => core.call('GET', `/api/ai/disclosure?format=${format}`);

    test('a project without generated text says so', async () => {
      assert.match((await disclosure('md')).text, /No text of this project is known/);
      assert.equal((await disclosure('csv')).text.split('\r\n').length, 2);
      assert.equal((await disclosure('json')).body.pre_generated, false);
      assert.equal((await disclosure('xml')).status, 422);
    });

    test('it follows edits, a rename, the recycle bin and a restored version', async () => {
      await tools.make('mira');
      const made = await tools.propose('mira', {
        fields: { summary: 'She reads the tides of the old harbour' },
        markdown_body: '# Mira\n\nOne.\n\nTwo.\n\nThree.\n\nShe waits for the tide to turn.\n',
      });
      await tools.decide(made.proposal_id, 'accept');
      const all = await provenance('mira');
      assert.deepEqual(
        all.parts.map(({ field, lines, generated_words, changed_share, model, accepted_by }) => [
          field,
          lines,
          generated_words,
          changed_share,
          model,
          accepted_by === made.created_by,
        ]),
        [
          ['summary', [], 8, 0, 'llama3.1:8b', false],
          ['markdown_body', [{ from: 9, to: 9 }], 7, 0, 'llama3.1:8b', false],
        ],
      );
      await tools.put('mira', {
        fields: { summary: 'She reads the stars of the old harbour' },
        markdown_body: '# Mira\n\nNew.\n\nTwo.\n\nShe waits for the tide to turn.\n',
      });
      const shares = async (id: string) =>
        (await provenance(id)).parts.map(({ field, kept_words, lines }) => [
          field,
          kept_words,
          lines[0]?.from,
        ]);
      const edited = [
        ['summary', 7, undefined],
        ['markdown_body', 7, 7],
      ];
      assert.deepEqual(await shares('mira'), edited);

      const names = { entity_type: 'character', old_id: 'mira', new_id: 'mira_vale' };
      assert.equal((await core.call('POST', '/api/rename-entity', { body: names })).status, 200);
      assert.deepEqual(await shares('mira_vale'), edited);

      const deleted = await core.call('DELETE', '/api/entity/character/mira_vale');
      await core.call('POST', `/api/recycle-bin/${deleted.body.item_id}/restore`);
      assert.deepEqual(await shares('mira_vale'), edited);

      const { version } = await provenance('mira_vale');
      await tools.put('mira_vale', { fields: { summary: '' }, markdown_body: 'All by hand.\n' });
      assert.deepEqual(await shares('mira_vale'), []);
      const url = `/api/entity/character/mira_vale/revisions/${version}/restore`;
      assert.ok((await core.call('POST', url)).status < 300);
      assert.deepEqual(await shares('mira_vale'), edited);
      await tools.put('mira_vale', { fields: { summary: 'She reads the tides of the old harbour' } });
      const undone = await tools.decide(made.proposal_id, 'undo', { fields: ['summary'] });
      assert.equal(undone.status, 200, undone.text);
      assert.deepEqual(
        (await provenance('mira_vale')).parts.map(({ field }) => field),
        ['markdown_body'],
      );
    });

    test('the disclosure names types, entities, shares and models in every format', async () => {
      await tools.make('formula', { name: '=HYPERLINK("x")|<b>' });
      const made = await tools.propose('formula', { fields: { want: '@rest and quiet' } });
      await tools.decide(made.proposal_id, 'accept');
      await tools.put('formula', { fields: { want: 'rest and noise' } });
      const json = (await disclosure('json')).body as {
        entities: DisclosedEntity[];
        totals: { entities: number };
        models: string[];
      };
      const found = json.entities.find(({ entity_id }) => entity_id === 'formula');
      assert.deepEqual(found?.fields[0], {
        field: 'want',
        words: 3,
        generated_words: 2,
        generated_share: 0.667,
        changed_share: 0.333,
        models: ['llama3.1:8b'],
        last_accepted_at: found?.fields[0]?.last_accepted_at,
      });
      assert.deepEqual([json.totals.entities, json.models], [2, ['llama3.1:8b']]);
      const csv = (await disclosure('csv')).text;
      assert.match(csv, /"character","formula","'=HYPERLINK\(""x""\)\|<b>","want",3,2,0\.667,0\.333/);
      const md = await disclosure('md');
      assert.match(String(md.headers['content-type']), /text\/markdown/);
      assert.match(md.text, /pre-generated content/);
      assert.match(md.text, /=HYPERLINK\("x"\)\\\|\\<b\\> \(formula\) \| want \| 3 \| 66\.7 % \| 33\.3 %/);
    });
  });
});
