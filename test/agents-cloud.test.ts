import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectAgent } from './support/agent-client.ts';
import { startCloud } from './support/cloud.ts';
import { listen } from './support/listen.ts';

const cloud = await startCloud();
after(() => cloud.close());
const [one, other] = cloud.cores;
const addresses = [await listen(one), await listen(other)] as const;
const owner = cloud.accounts.first;
const stranger = await cloud.accounts.register();
const tenants = [
  { token: owner.token, name: 'Orla of the owner' },
  { token: stranger.token, name: 'Orla of the stranger' },
];
const ORLA = { entity_type: 'character', entity_id: 'orla' };

interface Draft {
  change_set_id: string;
}

test('an agent’s tenant and project are those of its token and session, at any core', async (t) => {
  for (const { token, name } of tenants) {
    const reply = await one.call('POST', '/api/entity/character', {
      token,
      body: { entity_id: 'orla', name },
    });
    assert.equal(reply.status, 201, reply.text);
  }
  const sets: string[] = [];
  for (const { token, name } of tenants) {
    for (const address of addresses) {
      const agent = await connectAgent(address, token);
      t.after(agent.close);
      const read = await agent.call<{ name: string }>('read_entity', ORLA);
      assert.equal(read.name, name);
      const { results } = await agent.call<{ results: { name: string }[] }>('search', { query: 'orla' });
      assert.deepEqual(
        results.map((found) => found.name),
        [name],
      );
      const draft = await agent.call<Draft>('create_draft', {
        entity_type: 'character',
        name: `Ida ${sets.length}`,
      });
      sets.push(draft.change_set_id);
    }
    const elsewhere = await connectAgent(addresses[0], token, { headers: { 'x-project-id': 'sequel' } });
    t.after(elsewhere.close);
    assert.match(await elsewhere.refused('read_entity', ORLA), /no_such_project/);
  }
  const seen = await Promise.all(
    tenants.map(async ({ token }) => {
      const { body } = await other.call<{ change_sets: Draft[] }>('GET', '/api/ai/change-sets', { token });
      return body.change_sets.map(({ change_set_id }) => change_set_id).sort();
    }),
  );
  assert.deepEqual(seen, [sets.slice(0, 2).sort(), sets.slice(2).sort()]);
  const agent = await connectAgent(addresses[1], stranger.token);
  t.after(agent.close);
  assert.match(await agent.refused('read_changes', { change_set_id: sets[0] }), /no_such_change_set/);
});

test('a session goes on at another core, and is nobody’s of another tenant', async (t) => {
  const agent = await connectAgent(addresses[0], owner.token);
  t.after(agent.close);
  await agent.call('create_draft', { entity_type: 'character', name: 'Pia' });
  const ask = (core: typeof one, token: string) =>
    core.call('POST', '/api/mcp', {
      token,
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-session-id': agent.transport.sessionId ?? '',
      },
      body: { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'read_changes', arguments: {} } },
    });
  const there = await ask(other, owner.token);
  assert.match(there.text, /"entity_id\\?":\\?"pia/, there.text);
  assert.equal((await ask(other, stranger.token)).status, 404);
});
