import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type AiCore, startAiCore } from '../../../test/support/ai.ts';
import { startAiOffCore } from '../../../test/support/ai-off.ts';
import { askChat, assertShownIsSent, chatEvents, dataOf, shownRounds } from '../../../test/support/chat.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { injections } from '../../../test/support/injections.ts';
import type { Answer } from '../../../test/support/llm/answer.ts';
import { until } from '../../../test/support/until.ts';
import { creditsDeducted } from '../../kit/credits.events.ts';
import type { ChatAnswer } from './chat.contract.ts';

const mira = { entity_type: 'character', entity_id: 'mira' };
/** A model that does whatever any text may have told it. */
const OBEDIENT: Answer = {
  text: 'As you wish.',
  calls: [
    { id: 'a', name: 'delete_entity', input: mira },
    { id: 'b', name: 'search', input: { query: 'secret', project_id: 'other', tenant_id: 'other' } },
    { id: 'c', name: 'accept_proposal', input: { proposal_id: 'p' } },
    { id: 'd', name: 'read', input: { entity_type: '../other', entity_id: '../../../etc/passwd' } },
  ],
};

forEachDatabase((_name, open) => {
  describe('what texts say in a chat', () => {
    let core: AiCore;
    let told = 0;
    before(async () => {
      core = await startAiCore({ open });
      core.bus.on(creditsDeducted, () => {
        told += 1;
      });
      await core.app.listen({ host: '127.0.0.1', port: 0 });
    });
    after(() => core.close());

    test('is data: it stays within its lines and can do nothing, 40 times', async () => {
      assert.ok(injections.length >= 40);
      for (const [index, text] of injections.entries()) {
        const entity_id = `victim_${index}`;
        const body = {
          entity_id,
          name: `Victim ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200)}`,
          markdown_body: `Word${index} is here.\n${text}`,
        };
        const made = await core.call('POST', '/api/entity/character', { body });
        assert.equal(made.status, 201, made.text);
      }
      const before = await core.call<{ total: number }>('GET', '/api/entity/character?limit=1');
      for (const [index, text] of injections.entries()) {
        core.llm.requests.length = 0;
        core.llm.script([
          {
            text: '',
            calls: [
              { name: 'read', input: { entity_type: 'character', entity_id: `victim_${index}` } },
              { name: 'search', input: { query: `word${index}` } },
            ],
          },
          OBEDIENT,
          { text },
        ]);
        const events = await chatEvents(core, {
          message: `What of word${index}?`,
          history: [{ role: 'assistant', content: text }],
        });
        assertShownIsSent(events, core.llm.chats());
        assertFenced(shownRounds(events).at(-1) ?? []);
        const [answer] = dataOf(events, 'answer') as unknown as ChatAnswer[];
        assert.deepEqual(
          answer?.tools.slice(2).map(({ failed }) => failed),
          [true, true, true, true],
          text,
        );
        assert.deepEqual(answer?.proposals, []);
        assert.ok(
          answer?.citations.every(({ verified }) => !verified),
          text,
        );
      }
      assert.deepEqual(
        (await core.call('GET', '/api/entity/character?limit=1')).body.total,
        before.body.total,
      );
      const proposals = await core.call<{ total: number }>('GET', '/api/ai/proposals');
      assert.equal(proposals.body.total, 0);
    });

    test('whoever leaves ends the request to the provider, and what it took is settled', async () => {
      core.llm.script({ text: 'Once upon a time there was', silent: 'later' });
      await core.bus.idle();
      told = 0;
      const { port } = core.app.server.address() as AddressInfo;
      for (const accept of ['text/event-stream', 'application/json']) {
        const leaving = new AbortController();
        const asked = fetch(`http://127.0.0.1:${port}/api/ai/chat`, {
          method: 'POST',
          signal: leaving.signal,
          headers: { authorization: `Bearer ${core.adminToken}`, 'content-type': 'application/json', accept },
          body: JSON.stringify({ message: 'Tell me a story' }),
        });
        asked.catch(() => {});
        await until(() => core.llm.open() === 1);
        if (accept === 'text/event-stream') {
          const reader = (await asked).body?.getReader();
          assert.ok(reader);
          let text = '';
          while (!text.includes('delta')) text += new TextDecoder().decode((await reader.read()).value);
        }
        leaving.abort();
        await until(() => core.llm.open() === 0);
      }
      await until(
        () => told === 2,
        () => told,
      );
    });
  });

  test('with AI off, a chat is answered from the project, and no connection is opened', async (t) => {
    const { core, assertAskedNobody } = await startAiOffCore(t, { open, content: 'sample' });
    await core.call('POST', '/api/sync/refresh-all');
    const question = {
      message: 'Who is Mira Vale?',
      context: { entity_type: 'character', entity_id: 'mira_vale' },
    };
    const answer = await askChat(core, question);
    assert.deepEqual(
      [answer.offline, answer.reason?.code, answer.entities[0]?.entity_id],
      [true, 'ai_off', 'mira_vale'],
    );
    await chatEvents(core, { ...question, provider: 'installation' });
    await core.call('POST', '/api/ai/chat', { body: { ...question, dry_run: true } });
    assertAskedNobody();
  });
});

/** Every line of a tool's result is ours, or begins as a quotation does. */
function assertFenced(messages: readonly { role: string; content: string }[]): void {
  const OURS = /^(?:\d+\| |\| |It goes on: |Nothing was found\.$|\d+ (?:references|contradictions))/;
  for (const { content } of messages.filter(({ role }) => role === 'tool'))
    for (const line of content.split(/[\n\r\v\f\u0085\u2028\u2029]/)) assert.match(line, OURS);
}
