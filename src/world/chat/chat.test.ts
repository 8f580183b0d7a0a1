import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type AiCore, startAiCore } from '../../../test/support/ai.ts';
import { askChat, assertShownIsSent, chatEvents, dataOf, saidIn } from '../../../test/support/chat.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Answer } from '../../../test/support/llm/answer.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import type { ChatAnswer, ChatPreview } from './chat.contract.ts';

const FILE = 'Characters/orla/CH_orla.md';
const textOf = (body: string) =>
  `---\nid: orla\nname: Orla Fenn\nsummary: A keeper of bells\nhome: bell_house\n---\n\n${body}\n`;

const call = (name: string, input: unknown, id = `call_${name}`): Answer => ({
  text: '',
  calls: [{ id, name, input }],
});
const orla = { entity_type: 'character', entity_id: 'orla' };

forEachDatabase((name, open) => {
  describe('chat with a model', () => {
    let core: AiCore;
    before(async () => {
      core = await startAiCore({ open });
      saveFile(
        join(core.contentDir, 'Locations/bell_house/LOC_bell_house.md'),
        '---\nid: bell_house\nname: Bell House\n---\n\nCold.\n',
      );
      await write('She rings the drowned bell.\n\nHer sister is the ferryman.');
    });
    after(() => core.close());

    async function write(body: string): Promise<void> {
      saveFile(join(core.contentDir, FILE), textOf(body));
      await core.call('POST', '/api/sync/refresh-all');
    }
    const lineOf = (words: string): number =>
      readFileSync(join(core.contentDir, FILE), 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(words)) + 1;
    const script = (...answers: Answer[]) => {
      core.llm.requests.length = 0;
      core.llm.script(answers);
    };

    test('it looks things up, cites the lines of files, and all that is sent is shown', async () => {
      const rings = lineOf('rings');
      script(
        call('search', { query: 'drowned bell' }),
        call('read', orla),
        call('references', { entity_type: 'location', entity_id: 'bell_house' }),
        call('canon', orla),
        {
          text: `Orla does [character/orla:${rings}]. She is ninety [character/orla:99]. See [1] and [[orla]].`,
          pieces: 9,
        },
      );
      const events = await chatEvents(core, {
        message: 'Who rings the drowned bell?',
        context: { entity_type: 'location', entity_id: 'bell_house' },
      });
      assert.equal(core.llm.chats().length, 5);
      assertShownIsSent(events, core.llm.chats());
      const tools = dataOf(events, 'tool');
      assert.deepEqual(
        tools.map((tool) => [tool.name, tool.failed]),
        [
          ['search', false],
          ['read', false],
          ['references', false],
          ['canon', false],
        ],
      );
      assert.ok(String(tools[1]?.content).includes(`${rings}| She rings the drowned bell.`));
      assert.match(
        String(tools[2]?.content),
        /^1 references\.\n\| character\/orla "Orla Fenn" refers to location\/bell_house in home\n5\| home: bell_house$/,
      );
      const said = `Orla does [character/orla:${rings}]. She is ninety [character/orla:99, unverified]. See [1] and [[orla]].`;
      assert.equal(saidIn(events), said);
      const [answer] = dataOf(events, 'answer') as unknown as ChatAnswer[];
      assert.equal(answer?.message.content, said);
      assert.deepEqual(answer.citations, [
        {
          ...orla,
          name: 'Orla Fenn',
          line: rings,
          end_line: rings,
          quote: 'She rings the drowned bell.',
          url: '/api/entity/character/orla',
          verified: true,
        },
        { ...orla, name: null, line: 99, end_line: 99, quote: null, url: null, verified: false },
      ]);
      assert.deepEqual([answer.offline, answer.provider, answer.finish], [false, 'installation', 'stop']);
      assert.deepEqual(answer.usage, { input_tokens: 60, output_tokens: 35 });
      assert.deepEqual(dataOf(events, 'usage'), [{ ...answer.usage, credits: 1 }]);
    });

    test('after an edit the lines are those of the new file', async () => {
      await write('A new first line.\n\nAnother.\n\nShe rings the drowned bell.');
      const rings = lineOf('rings');
      script(call('read', orla), {
        text: `Orla [character/orla:${rings}], [character/orla:8; character/orla:10].`,
      });
      const answer = await askChat(core, { message: 'Who rings it?' });
      assert.deepEqual(
        answer.citations.map(({ line, quote, verified }) => [line, quote, verified]),
        [
          [rings, 'She rings the drowned bell.', true],
          [8, 'A new first line.', true],
          [10, 'Another.', true],
        ],
      );
      script({ text: `Orla [character/orla:${rings}].` });
      const unread = await askChat(core, {
        message: 'Who rings it?',
        history: [{ role: 'assistant', content: `Orla [character/orla:${rings}]` }],
      });
      assert.deepEqual(
        unread.citations.map(({ verified }) => verified),
        [false],
        'what was not looked up bears nothing out',
      );
    });

    test('a dry run sends nothing, and shows what the first request sends', async () => {
      script({ text: 'Yes.' });
      const body = {
        message: 'Does she?',
        context: orla,
        history: [
          { role: 'user', content: 'Who is Orla?' },
          { role: 'assistant', content: 'A keeper.' },
        ],
      };
      const { body: preview } = await core.call<ChatPreview>('POST', '/api/ai/chat', {
        body: { ...body, dry_run: true },
      });
      assert.equal(core.llm.chats().length, 0);
      const events = await chatEvents(core, body);
      const [context] = dataOf(events, 'context');
      assert.deepEqual(
        { messages: preview.messages, tools: preview.tools, max: preview.max_output_tokens },
        { messages: context?.messages, tools: context?.tools, max: context?.max_output_tokens },
      );
      assertShownIsSent(events, core.llm.chats());
      assert.deepEqual(
        preview.tools.map(({ name: tool }) => tool),
        ['search', 'read', 'references', 'canon', 'propose'],
      );
      assert.deepEqual(
        [preview.provider, preview.model, preview.price.most],
        ['installation', 'scripted-1', 40],
      );
      assert.ok(preview.tokens > 500 && preview.price.first_request <= 4);
    });

    test('calls that cannot be carried out are told to the model', async () => {
      script(
        {
          text: '',
          calls: [
            { id: 'a', name: 'delete_everything', input: {} },
            { id: 'b', name: 'search', input: { query: 'bell', tenant_id: 'other' } },
            { id: 'c', name: 'read', input: { entity_type: 'character', entity_id: '../../etc/passwd' } },
            { id: 'd', name: 'read', input: [] },
            { id: 'e', name: 'search', input: { query: 'one call too many' } },
          ],
        },
        { text: 'I cannot.' },
      );
      const answer = await askChat(core, { message: 'Break something' });
      assert.deepEqual(
        answer.tools.map(({ id, failed }) => [id, failed]),
        [
          ['a', true],
          ['b', true],
          ['c', true],
          ['d', true],
        ],
      );
      assert.match(
        answer.tools[0]?.content ?? '',
        /no tool 'delete_everything': the tools are search, read, references, canon, propose/,
      );
      assert.match(answer.tools[1]?.content ?? '', /tenant_id is not known here/);
      assert.equal(answer.message.content, 'I cannot.');
    });

    test('a proposal is made of what was read, and changes nothing before somebody accepts it', async () => {
      const before = readFileSync(join(core.contentDir, FILE), 'utf8');
      script(
        call('propose', { ...orla, fields: { summary: 'A ferryman' } }),
        call('read', orla),
        call('propose', { ...orla, fields: { summary: 'A ferryman' } }, 'second'),
        { text: 'I have proposed it.' },
      );
      const events = await chatEvents(core, { message: 'Make her a ferryman' });
      const [unread, , made] = dataOf(events, 'tool');
      assert.deepEqual([unread?.failed, made?.failed], [true, false]);
      assert.match(String(unread?.content), /read the entity first/);
      const [proposal] = dataOf(events, 'proposal');
      const [answer] = dataOf(events, 'answer') as unknown as ChatAnswer[];
      assert.deepEqual(answer?.proposals, [proposal]);
      assert.equal(readFileSync(join(core.contentDir, FILE), 'utf8'), before);
      const path = `/api/ai/proposals/${proposal?.proposal_id}`;
      const stored = await core.call<{ kind: string; instruction: string; model: string }>('GET', path);
      assert.deepEqual(
        [stored.body.kind, stored.body.instruction, stored.body.model],
        ['chat', 'Make her a ferryman', 'scripted-1'],
      );
      assert.equal((await core.call('POST', `${path}/accept`)).status, 200);
      assert.equal(
        readFileSync(join(core.contentDir, FILE), 'utf8'),
        before.replace('A keeper of bells', 'A ferryman'),
      );
    });

    test('whoever may not edit is answered from search, and a body that was read in part is not replaced', async () => {
      const viewer = await core.registerViewer(`viewer-${name.toLowerCase()}@example.com`);
      script(call('propose', { ...orla, fields: { summary: 'x' } }));
      const answer = await askChat(core, { message: 'Change Orla' }, { token: viewer });
      assert.deepEqual(
        [answer.offline, answer.reason?.code, core.llm.chats().length],
        [true, 'ai_not_permitted', 0],
      );
      script(
        call('search', { query: 'drowned bell', limit: 1 }),
        call('propose', { ...orla, markdown_body: 'Gone.' }),
        { text: 'No.' },
      );
      const partly = await askChat(core, { message: 'Empty it' });
      assert.match(partly.tools[1]?.content ?? '', /read the whole file before/);
      assert.deepEqual(partly.proposals, []);
    });

    test('a model that never answers is told to, and then stopped', async () => {
      script(call('search', { query: 'bell' }));
      const events = await chatEvents(core, { message: 'Go on for ever' });
      assert.equal(core.llm.chats().length, 6);
      assertShownIsSent(events, core.llm.chats());
      const [answer] = dataOf(events, 'answer') as unknown as ChatAnswer[];
      assert.equal(answer?.finish, 'limit');
      assert.match(answer.message.content, /gave no answer/);
    });

    test('a provider that fails before it says anything is replaced by search; later, the answer ends with an error', async () => {
      script({ refuse: { status: 401, message: 'no such key' } });
      const refused = await askChat(core, { message: 'Who rings the bell?' });
      assert.deepEqual(
        [refused.offline, refused.reason?.code, refused.entities[0]?.entity_id],
        [true, 'provider_failed', 'orla'],
      );
      script({ text: 'Orla rings the bell every day.', hangUp: 'reset' });
      const events = await chatEvents(core, { message: 'Who rings the bell?' });
      assert.equal(events.at(-1)?.event, 'error');
      assert.ok(saidIn(events).startsWith('Orla'));
      assert.equal(events.at(-1)?.data.status, 503);
      const reply = await core.call('POST', '/api/ai/chat', {
        body: { message: 'Who?' },
        headers: { accept: 'application/json' },
      });
      assert.equal(reply.status, 503);
    });

    test('an unknown provider or entity is a plain refusal', async () => {
      const ask = (body: object) => core.call('POST', '/api/ai/chat', { body: { message: 'x', ...body } });
      assert.equal((await ask({ provider: 'nobody' })).status, 404);
      assert.equal((await ask({ context: { ...orla, entity_id: 'nobody' } })).status, 404);
    });
  });
});
