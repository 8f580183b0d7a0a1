import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AgentClient, connectAgent, textOf } from '../../../test/support/agent-client.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { listen } from '../../../test/support/listen.ts';
import { ownersKey, type People, startPeople } from '../../../test/support/people.ts';
import { until } from '../../../test/support/until.ts';
import { createWordEmbedder } from '../../../test/support/word-embedder.ts';

const READING = [
  'search',
  'read_entity',
  'list_types',
  'describe_type',
  'references',
  'graph',
  'canon_check',
  'validate',
  'history',
  'export',
  'read_changes',
];

const LONG = `${'A line of a long story.\n'.repeat(6_000)}The end.\n`;

forEachDatabase((_name, open) => {
  describe('tools, resources and prompts', () => {
    let people: People;
    let address: string;
    let agent: AgentClient;
    before(async () => {
      people = await startPeople({ open, content: 'sample', models: { embedder: createWordEmbedder() } });
      address = await listen(people);
      agent = await connectAgent(address, people.cast.editor.token);
      const entity = { entity_id: 'long_one', name: 'Long One', markdown_body: LONG };
      const made = await people.ask(people.cast.editor, 'POST', '/api/entity/character', entity);
      assert.equal(made.status, 201, made.text);
    });
    after(async () => {
      await agent.close();
      await people.close();
    });
    const keyOf = (...scopes: string[]) => ownersKey(people, ...scopes);
    const namesFor = async (token: string): Promise<string[]> => {
      const other = await connectAgent(address, token);
      const { tools } = await other.client.listTools();
      await other.close();
      return tools.map(({ name }) => name);
    };

    test('a key that may only read, and a viewer, see only tools that read', async () => {
      assert.deepEqual(await namesFor(await keyOf('read')), READING);
      assert.deepEqual(await namesFor(people.cast.viewer.token), READING);
      const { tools } = await agent.client.listTools();
      for (const { name, description = '', annotations, inputSchema } of tools) {
        assert.ok(description.length > 40, name);
        assert.equal(inputSchema.type, 'object');
        assert.equal(annotations?.destructiveHint, false);
        if (READING.includes(name)) assert.equal(annotations?.readOnlyHint, true, name);
      }
    });

    test('an agent finds its way from words to files and what hangs together', async () => {
      const { types } = await agent.call<{ types: { entity_type: string }[] }>('list_types');
      assert.ok(types.some(({ entity_type }) => entity_type === 'quest'));
      const found = await agent.call<{ total: number; results: Named[]; hint?: string }>('search', {
        query: 'tide',
        types: ['character', 'event'],
        limit: 2,
      });
      assert.equal(found.results.length, 2);
      assert.match(found.hint ?? '', /more: add words/);
      const [{ entity_type = '', entity_id = '' } = {}] = found.results;
      const read = await agent.call<{ version: number; content: string }>('read_entity', {
        entity_type,
        entity_id,
      });
      assert.equal(read.version, 1);
      assert.match(read.content, new RegExp(`^---\n[^]*id: ${entity_id}`));
      const references = await agent.call<{ total: number; references: object[] }>('references', {
        entity_type: 'quest',
        entity_id: 'the_missing_tongue',
        limit: 3,
      });
      assert.ok(references.total > 3 && references.references.length === 3);
      const graph = await agent.call<{ nodes: Named[] }>('graph', {
        entity_type: 'quest',
        entity_id: 'the_missing_tongue',
      });
      assert.ok(graph.nodes.length > 5);
      const described = await agent.call<{ schema: { properties: object } }>('describe_type', {
        entity_type: 'quest',
      });
      assert.ok('characters' in described.schema.properties);
    });

    test('what is found by meaning comes with its passage, the nearest first', async () => {
      const entity = {
        entity_id: 'wick',
        name: 'Wick',
        markdown_body: 'Trims the lamps of the vessel.\n\nSleeps by day.\n',
      };
      await people.ask(people.cast.editor, 'POST', '/api/entity/character', entity);
      const find = (mode?: string) =>
        agent.call<{ results: (Named & { score?: number; excerpt: string })[]; index?: { state: string } }>(
          'search',
          { query: 'ship lamps', types: ['character', 'item'], limit: 3, ...(mode && { mode }) },
        );
      await until(async () => (await find('semantic')).index?.state === 'ready');
      const { results } = await find('semantic');
      assert.equal(results[0]?.entity_id, 'wick');
      assert.match(results[0].excerpt, /^Trims the lamps/);
      const scores = results.map(({ score = 0 }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((one, other) => other - one),
      );
      const mixed = await find('hybrid');
      assert.ok(mixed.results.some(({ entity_id }) => entity_id === 'wick'));
      assert.deepEqual((await find()).results, []);
    });

    test('checks, history, previews and exports answer as the API does', async () => {
      const canon = await agent.call<{ status: string; entities_checked: number }>('canon_check');
      assert.equal(canon.status, 'done');
      assert.ok(canon.entities_checked > 40);
      const all = await agent.call<{ findings_total: number; next_offset: number | null }>('validate', {
        limit: 2,
      });
      assert.equal(all.next_offset, 2);
      const one = await agent.call<{ checked: number }>('validate', {
        entity_type: 'character',
        entity_id: 'long_one',
      });
      assert.equal(one.checked, 1);
      const past = await agent.call<{ revisions: { source: string }[] }>('history', {
        entity_type: 'character',
        entity_id: 'long_one',
      });
      assert.equal(past.revisions[0]?.source, 'api');
      const preview = await agent.call<{ notes: { entity_type: string }[] }>('import_preview', {
        files: [{ path: 'People/Mo.md', content: '---\nborn: "1187"\n---\nA thief.\n' }],
      });
      assert.equal(preview.notes[0]?.entity_type, 'character');
      const page = await agent.call<{ files: { content: string }[]; next_offset: number | null }>('export', {
        entity_type: 'character',
        limit: 2,
      });
      assert.equal(page.files.length, 2);
      assert.equal(page.next_offset, 2);
    });

    test('a long file comes in parts that together are the file', async () => {
      let text = '';
      let offset: number | null = 0;
      let parts = 0;
      while (offset !== null) {
        const read: { content: string; next_offset: number | null } = await agent.call('read_entity', {
          entity_type: 'character',
          entity_id: 'long_one',
          offset,
        });
        assert.ok(read.content.length <= 40_000);
        text += read.content;
        offset = read.next_offset;
        parts += 1;
      }
      assert.ok(parts > 3 && text.endsWith(LONG));
    });

    test('refusals say what was wrong and what to do', async () => {
      const refusals: [string, object, RegExp][] = [
        ['read_entity', { entity_type: 'character' }, /argument 'entity_id' is required/],
        ['read_entity', { entity_type: 'character', entity_id: 'nobody' }, /search finds entities/],
        ['describe_type', { entity_type: 'starship' }, /list_types names the types/],
        ['search', { query: 'tide', limit: 500 }, /argument 'limit' must be <= 50/],
        ['search', { query: 'tide', tpyes: [] }, /did you mean.*types/i],
        ['graph', { entity_type: 'character' }, /together/],
        ['graph', { cursor: 'nonsense' }, /cursor/],
      ];
      for (const [name, input, said] of refusals) assert.match(await agent.refused(name, input), said);
      await assert.rejects(agent.client.callTool({ name: 'drop_world' }), /There is no tool 'drop_world'/);
    });

    test('resources are listed page by page and read as files', async () => {
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await agent.client.listResources(cursor === undefined ? {} : { cursor });
        uris.push(...page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.equal(new Set(uris).size, uris.length);
      for (const uri of [
        'canonry://template/quest',
        'canonry://rules/character',
        'canonry://entity/character/long_one',
      ]) {
        assert.ok(uris.includes(uri), uri);
        const { contents } = await agent.client.readResource({ uri });
        assert.match(JSON.stringify(contents), /---\\n/);
      }
      for (const uri of ['canonry://entity/character/nobody', 'file:///etc/passwd', 'canonry://entity/a'])
        await assert.rejects(agent.client.readResource({ uri }), { code: -32002 });
      await assert.rejects(agent.client.listResources({ cursor: 'nonsense' }), /cursor/);
    });

    test('prompts carry what templates tell writers, and arguments are completed', async () => {
      const { prompts } = await agent.client.listPrompts();
      assert.ok(prompts.some(({ name }) => name === 'write_quest'));
      const prompt = await agent.client.getPrompt({
        name: 'write_character',
        arguments: { request: 'a thief' },
      });
      assert.match(JSON.stringify(prompt.messages), /contradiction between want and need.*a thief/);
      const typed = (name: string, value: string, given = {}) =>
        agent.client.complete({
          ref: { type: 'ref/resource', uri: 'canonry://entity/{type}/{id}' },
          argument: { name, value },
          context: { arguments: given },
        });
      assert.deepEqual((await typed('type', 'que')).completion.values, ['quest']);
      assert.deepEqual((await typed('id', 'long_', { type: 'character' })).completion.values, ['long_one']);
    });

    test('fifty calls at once are all answered', async () => {
      const calls = Array.from({ length: 50 }, (_, index) =>
        agent.client.callTool(
          index % 2 === 0
            ? { name: 'search', arguments: { query: 'tide' } }
            : { name: 'read_entity', arguments: { entity_type: 'character', entity_id: 'long_one' } },
        ),
      );
      for (const result of await Promise.all(calls))
        assert.ok(!result.isError, textOf(result as Parameters<typeof textOf>[0]));
    });
  });
});

interface Named {
  entity_type: string;
  entity_id: string;
}
