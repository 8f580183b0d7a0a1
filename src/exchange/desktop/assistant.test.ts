import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startDesktop } from '../../../test/support/desktop.ts';
import type { ChatAnswer } from '../../world/chat/chat.contract.ts';

forEachDatabase((_name, open) => {
  test('a question is answered from the project alone, with what it says and where', async (t) => {
    const desktop = await startDesktop({ open, content: 'sample' });
    t.after(() => desktop.close());
    for (const project of desktop.projects.opened()) await desktop.mirror.whenSettled(project);
    const ask = async (message: string, limit?: number) => {
      const reply = await desktop.ask<ChatAnswer>('POST', '/api/desktop/ai/chat', {
        body: { message, limit },
        headers: { accept: 'application/json' },
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
