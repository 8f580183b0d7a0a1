import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import { createWordEmbedder } from '../../../test/support/word-embedder.ts';

interface Found {
  entity_type: string;
  entity_id: string;
  name: string;
  /** Only of searches by meaning. */
  score: number;
  exact?: boolean;
  passage: { text: string; line_from: number; line_to: number } | null;
}

interface Index {
  state: string;
  done: number;
  total: number;
  problem: string | null;
}

interface SearchReply {
  total: number;
  groups: { entity_type: string; total: number; entities: Found[] }[];
  index?: Index;
  detail?: string;
  code?: string;
}

interface Status {
  use: string;
  model: string | null;
  index: Index | null;
  passages: number;
}

const LIGHTHOUSE = `## Work

Every night she climbs the tower and lights the lamp for the fishing fleet.

## Past

Her brother drowned when nobody had trimmed the wick.
`;

forEachDatabase((_name, open) => {
  describe('comparing texts by meaning', () => {
    const embedder = createWordEmbedder();
    let core: TestCore;

    const create = async (type: string, id: string, name: string, body: string, fields: object = {}) => {
      const given = { entity_id: id, name, markdown_body: body, fields };
      const reply = await core.call('POST', `/api/entity/${type}`, { body: given });
      assert.equal(reply.status, 201, reply.text);
    };
    const search = (query: string, token?: string) =>
      core.call<SearchReply>('GET', `/api/search?${query}`, token === undefined ? {} : { token });
    const status = async () => (await core.call<Status>('GET', '/api/ai/embeddings')).body;
    const ready = () =>
      until(
        async () => (await search('q=anything&mode=semantic')).body.index?.state === 'ready',
        async () => (await status()).index,
      );
    /** Nearest first. */
    const idsOf = ({ groups }: SearchReply) =>
      groups
        .flatMap(({ entities }) => entities)
        .toSorted((one, other) => other.score - one.score)
        .map(({ entity_id }) => entity_id);
    const similar = async (type: string, id: string, query = '') =>
      (
        await core.call<{ similar: Found[]; index: Index }>(
          'GET',
          `/api/entity/${type}/${id}/similar${query}`,
        )
      ).body;
    const saidBefore = async (body: object) =>
      (await core.call<{ passages: Found[] }>('POST', '/api/ai/said-before', { body })).body.passages;

    before(async () => {
      core = await startCore({ open, models: { embedder } });
      await create('character', 'ines', 'Ines Marrow', LIGHTHOUSE, { occupation: 'keeper of the lamp' });
      await create('character', 'tove', 'Tove', 'She bakes bread before dawn and sells it warm at the gate.');
      await create('location', 'light', 'The Light', 'A tower with a lamp above the fishing fleet at night.');
      await create('location', 'bakery', 'Bakery', 'Warm bread at dawn beside the gate.');
    });
    after(() => core.close());
    beforeEach(() => embedder.goOn());

    test('nothing is read before somebody searches by meaning', async () => {
      assert.equal((await search('q=bread')).status, 200);
      assert.deepEqual(embedder.computed, []);
      const { use, index, passages } = await status();
      assert.deepEqual({ use, index, passages }, { use: 'local', index: null, passages: 0 });
    });

    test('the first search begins to read, and says how far that is', async () => {
      embedder.hold();
      const { body } = await search('q=ocean&mode=semantic');
      assert.deepEqual(body.index, { state: 'indexing', done: 0, total: 4, problem: null });
      embedder.goOn();
      await ready();
      const { index, model, passages } = await status();
      assert.deepEqual(index, { state: 'ready', done: 4, total: 4, problem: null });
      assert.equal(model, 'words');
      assert.ok(passages >= 6, String(passages));
    });

    test('a search by meaning answers in groups, with score and place', async () => {
      await ready();
      const { body } = await search('q=tower lamp fishing fleet night&mode=semantic&limit=3');
      assert.deepEqual(new Set(idsOf(body).slice(0, 2)), new Set(['ines', 'light']));
      const [group] = body.groups;
      assert.equal(group?.total, group?.entities.length);
      const ines = body.groups.flatMap(({ entities }) => entities).find((each) => each.entity_id === 'ines');
      assert.ok(ines?.passage && ines.score > 0.4, JSON.stringify(ines));
      assert.match(ines.passage.text, /climbs the tower and lights the lamp/);
      const file = readFileSync(join(core.contentDir, 'Characters/ines/CH_ines.md'), 'utf8');
      assert.match(file.split('\n')[ines.passage.line_to - 1] ?? '', /climbs the tower/);
    });

    test('types narrow a search by meaning, and an unknown one is refused', async () => {
      const { body } = await search('q=bread at dawn&mode=semantic&types=location');
      assert.deepEqual(
        body.groups.map(({ entity_type }) => entity_type),
        ['location'],
      );
      assert.equal(idsOf(body)[0], 'bakery');
      assert.equal((await search('q=bread&mode=semantic&types=nonsense')).status, 422);
    });

    test('both ways together: what words and meaning find comes first', async () => {
      await ready();
      const { body } = await search('q=bread&mode=hybrid');
      const firsts = body.groups.map(({ entities }) => entities[0]?.entity_id);
      assert.deepEqual(new Set(firsts), new Set(['tove', 'bakery']));
      assert.equal(body.index?.state, 'ready');
      const byWords = await search('q=bread');
      assert.equal(byWords.body.index, undefined);
      assert.deepEqual(new Set(idsOf(byWords.body)), new Set(['tove', 'bakery']));
    });

    test('similar entities leave out the entity itself', async () => {
      await ready();
      const { similar: found } = await similar('character', 'ines', '?limit=2');
      assert.equal(found[0]?.entity_id, 'light');
      assert.ok(found.every(({ entity_id }) => entity_id !== 'ines'));
      assert.equal(
        (await similar('character', 'tove', '?types=location&limit=1')).similar[0]?.entity_id,
        'bakery',
      );
      assert.equal((await core.call('GET', '/api/entity/character/nobody/similar')).status, 404);
    });

    test('what was said before is found word for word, and nearly', async () => {
      await ready();
      const text = 'every night she climbs the TOWER, and lights the lamp for the fishing fleet';
      const [first] = await saidBefore({ text, limit: 3 });
      assert.equal(first?.entity_id, 'ines');
      assert.equal(first.exact, true);
      const [near] = await saidBefore({ text: 'At night she lights a lamp in the tower.', limit: 3 });
      assert.equal(near?.exact, false);
      assert.ok(['ines', 'light'].includes(near.entity_id));
      const others = await saidBefore({ text, exclude: { entity_type: 'character', entity_id: 'ines' } });
      assert.ok(others.every(({ entity_id }) => entity_id !== 'ines'));
    });

    test('an edit computes only the passages that are new', async () => {
      await ready();
      embedder.computed.length = 0;
      const body = LIGHTHOUSE.replace('Her brother drowned', 'Her sister vanished');
      await core.call('PUT', '/api/entity/character/ines', { body: { markdown_body: body } });
      await ready();
      const texts = embedder.computed.filter((each) => each !== 'anything');
      assert.equal(texts.length, 1, JSON.stringify(texts));
      assert.match(texts[0] ?? '', /sister vanished/);
      const { body: found } = await search('q=sister vanished&mode=semantic');
      assert.equal(idsOf(found)[0], 'ines');
    });

    test('passages follow a rename, a deletion and a return', async () => {
      await create('character', 'odd', 'Odd', 'He paints zeppelins on velvet.');
      await ready();
      const finds = async () => idsOf((await search('q=zeppelins on velvet&mode=semantic&limit=1')).body)[0];
      assert.equal(await finds(), 'odd');
      const renamed = await core.call('POST', '/api/rename-entity', {
        body: { entity_type: 'character', old_id: 'odd', new_id: 'odder' },
      });
      assert.ok(renamed.status < 300, renamed.text);
      await ready();
      assert.equal(await finds(), 'odder');
      const deleted = await core.call<{ item_id: string }>('DELETE', '/api/entity/character/odder');
      assert.notEqual(await finds(), 'odder');
      await ready();
      const before = (await status()).passages;
      embedder.computed.length = 0;
      const restored = await core.call('POST', `/api/recycle-bin/${deleted.body.item_id}/restore`);
      assert.ok(restored.status < 300, restored.text);
      await ready();
      assert.equal(await finds(), 'odder');
      assert.ok((await status()).passages > before);
    });

    test('viewers may search, and only admins choose the model', async () => {
      const token = await core.registerViewer();
      assert.equal((await search('q=bread&mode=semantic', token)).status, 200);
      const refused = await core.call('PUT', '/api/ai/embeddings', { token, body: { use: 'off' } });
      assert.equal(refused.status, 403);
    });

    test('switched off, searches by meaning are refused politely and vectors are removed', async () => {
      const off = await core.call<Status>('PUT', '/api/ai/embeddings', { body: { use: 'off' } });
      assert.equal(off.body.use, 'off');
      const { status: code, body } = await search('q=bread&mode=semantic');
      assert.deepEqual([code, body.code], [409, 'embeddings_off']);
      assert.equal((await search('q=bread')).status, 200);
      await until(async () => (await status()).passages === 0);
      await core.call('PUT', '/api/ai/embeddings', { body: { use: 'local' } });
      await ready();
      assert.equal(idsOf((await search('q=bread at dawn&mode=semantic')).body).length > 0, true);
    });

    test('a provider that nobody has entered cannot be chosen', async () => {
      const reply = await core.call('PUT', '/api/ai/embeddings', {
        body: { use: 'provider', provider: 'nobody' },
      });
      assert.equal(reply.status, 422);
      assert.equal((await status()).use, 'local');
    });
  });
});
