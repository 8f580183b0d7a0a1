import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startDesktop } from '../../../test/support/desktop.ts';
import { passagesOf, termsOf } from './passages.ts';

interface ChatAnswer {
  offline: boolean;
  provider: string | null;
  message: { role: string; content: string };
  entities: { entity_type: string; entity_id: string; passages: string[]; link: string; url: string }[];
  terms: string[];
}

test('a question is looked for by the words that say what it is about', () => {
  assert.deepEqual(termsOf('Who is the keeper of the Bell Stair?'), ['keeper', 'bell', 'stair']);
  assert.deepEqual(termsOf('Who are you?'), ['who', 'are', 'you']);
  assert.deepEqual(termsOf('…'), []);
  assert.equal(termsOf(Array.from({ length: 50 }, (_, index) => `word${index}`).join(' ')).length, 12);
});

test('the places that fit best are told as they are written', () => {
  const entity = {
    entity_type: 'character',
    entity_id: 'mira',
    name: 'Mira',
    fields: { occupation: 'Tide reader', traits: ['patient'], deep: { debt: { to: 'Orla' } } },
    markdown_body:
      '# Mira\n\nShe keeps a **tide** table.\n\nHer *tide* tables are wrong\nin one reader’s eye.\n\nNothing.',
  };
  assert.deepEqual(passagesOf(entity, ['tide', 'reader']), [
    'Her *tide* tables are wrong in one reader’s eye.',
    'occupation: Tide reader',
  ]);
  assert.deepEqual(passagesOf(entity, ['orla']), ['deep.debt.to: Orla']);
  assert.deepEqual(passagesOf(entity, ['nowhere']), ['She keeps a **tide** table.']);
  const long = passagesOf({ ...entity, markdown_body: `tide ${'x'.repeat(5_000)}` }, ['tide'])[0] ?? '';
  assert.ok(long.length < 500 && long.endsWith(' …'));
});

forEachDatabase((_name, open) => {
  test('a question is answered from the project alone, with what it says and where', async (t) => {
    const desktop = await startDesktop({ open, content: 'sample' });
    t.after(() => desktop.close());
    for (const project of desktop.projects.opened()) await desktop.mirror.whenSettled(project);
    const ask = async (message: string, limit?: number) => {
      const reply = await desktop.ask<ChatAnswer>('POST', '/api/desktop/ai/chat', {
        body: { message, limit },
      });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const answer = await ask('Who is Mira Vale?');
    assert.deepEqual([answer.offline, answer.provider, answer.message.role], [true, null, 'assistant']);
    const [first] = answer.entities;
    assert.equal(first?.entity_id, 'mira_vale');
    assert.equal(first.link, '[[character:mira_vale]]');
    assert.ok(answer.message.content.includes('[[character:mira_vale]]'));
    for (const passage of first.passages) assert.ok(answer.message.content.includes(`> ${passage}`));
    assert.equal((await desktop.call('GET', first.url)).status, 200);
    assert.equal((await ask('Which harbour has which tide?', 2)).entities.length, 2);
    const nothing = await ask('zzzyx qqqyx?');
    assert.deepEqual([nothing.entities, nothing.offline], [[], true]);
    assert.match(nothing.message.content, /says nothing of zzzyx, qqqyx/);
    assert.equal((await ask('"')).entities.length, 0);

    const providers = await desktop.ask<{ providers: unknown[]; active: null }>(
      'GET',
      '/api/desktop/ai/providers',
    );
    assert.deepEqual(providers.body, { providers: [], active: null }, 'nothing that nobody can configure');
  });
});
