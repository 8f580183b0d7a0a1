import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAiCore } from '../../../test/support/ai.ts';
import { askChat, assertShownIsSent, chatEvents } from '../../../test/support/chat.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startDesktop } from '../../../test/support/desktop.ts';

const HERE = { path: '/api/desktop/ai/chat', token: null };

forEachDatabase((_name, open) => {
  test('a question is answered from the project alone, with what it says and where', async (t) => {
    const desktop = await startDesktop({ open, content: 'sample' });
    t.after(() => desktop.close());
    for (const project of desktop.projects.opened()) await desktop.mirror.whenSettled(project);
    const ask = (message: string, limit?: number) => askChat(desktop, { message, limit }, HERE);
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

  test('a model answers here without a token, and is listed as the one that does', async (t) => {
    const desktop = await startAiCore({ open, surface: 'desktop' });
    t.after(() => desktop.close());
    const made = await desktop.call('POST', '/api/entity/character', {
      body: { entity_id: 'orla', name: 'Orla', markdown_body: 'Rings the bell.' },
    });
    assert.equal(made.status, 201);
    const listed = await desktop.call('GET', '/api/desktop/ai/providers', { token: null });
    assert.deepEqual(listed.body, {
      providers: [{ id: 'installation', name: 'installation (scripted-1)', local: true, configured: true }],
      active: 'installation',
    });
    const orla = { entity_type: 'character', entity_id: 'orla' };
    desktop.llm.script([
      { text: '', calls: [{ name: 'read', input: orla }] },
      { text: '', calls: [{ name: 'propose', input: { ...orla, fields: { name: 'Orla Fenn' } } }] },
      { text: 'Done.' },
    ]);
    const events = await chatEvents(desktop, { message: 'Call her Orla Fenn' }, HERE);
    assertShownIsSent(events, desktop.llm.chats());
    const proposal = events.find(({ event }) => event === 'proposal')?.data;
    const accepted = await desktop.call('POST', `/api/ai/proposals/${proposal?.proposal_id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
    const { body } = await desktop.call('GET', '/api/entity/character/orla');
    assert.equal(body.name, 'Orla Fenn');
  });
});
