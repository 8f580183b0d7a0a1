import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { askChat, assertShownIsSent, chatEvents, dataOf } from './support/chat.ts';
import { startCloud } from './support/cloud.ts';
import { startLlmServer } from './support/llm/server.ts';

const llm = await startLlmServer();
const cloud = await startCloud({ env: { AI_BASE_URL: llm.url, AI_MODEL: 'scripted-1' } });
after(() => Promise.all([cloud.close(), llm.close()]));
const [one, other] = cloud.cores;
const owner = cloud.accounts.first;
const stranger = await cloud.accounts.register();

const orla = { entity_type: 'character', entity_id: 'orla' };
const make = (token: string, name: string) =>
  one.call('POST', '/api/entity/character', {
    token,
    body: { entity_id: 'orla', name, markdown_body: `${name} rings the bell.` },
  });

test('in the cloud a model sees the world of the one who asks, at any core, and no other', async () => {
  assert.equal((await make(owner.token, 'Orla of the owner')).status, 201);
  assert.equal((await make(stranger.token, 'Orla of the stranger')).status, 201);
  for (const [core, token, name] of [
    [one, owner.token, 'owner'],
    [other, stranger.token, 'stranger'],
  ] as const) {
    llm.requests.length = 0;
    llm.script([
      {
        text: '',
        calls: [
          { id: 'a', name: 'read', input: orla },
          { id: 'b', name: 'read', input: { ...orla, tenant_id: owner.tenantId } },
          { id: 'c', name: 'search', input: { query: 'bell' } },
        ],
      },
      {
        text: '',
        calls: [{ name: 'propose', input: { ...orla, fields: { name: `Proposed by the ${name}` } } }],
      },
      { text: 'Done.' },
    ]);
    const events = await chatEvents(core, { message: 'Who rings the bell?' }, { token });
    assertShownIsSent(events, llm.chats());
    const [read, widened, searched] = dataOf(events, 'tool');
    assert.ok(String(read?.content).includes(`Orla of the ${name}`));
    assert.equal(widened?.failed, true);
    assert.equal(String(searched?.content).match(/^\| character/gm)?.length, 1);
    const [proposal] = dataOf(events, 'proposal');
    const path = `/api/ai/proposals/${proposal?.proposal_id}/accept`;
    const outsider = name === 'owner' ? stranger.token : owner.token;
    assert.equal((await one.call('POST', path, { token: outsider })).status, 404);
    assert.equal((await other.call('POST', path, { token })).status, 200);
  }
  const { body } = await one.call('GET', '/api/entity/character/orla', { token: owner.token });
  assert.equal(body.name, 'Proposed by the owner');
});

test('another tenant’s entity is no context, and answers from search stay at home too', async () => {
  const hers = { entity_id: 'vault', name: 'The Vault', markdown_body: 'A singular zanzibar.' };
  assert.equal(
    (await one.call('POST', '/api/entity/location', { token: owner.token, body: hers })).status,
    201,
  );
  const context = { entity_type: 'location', entity_id: 'vault' };
  const refused = await one.call('POST', '/api/ai/chat', {
    token: stranger.token,
    body: { message: 'x', context },
  });
  assert.equal(refused.status, 404);
  llm.script({ refuse: { status: 401, message: 'no such key' } });
  const answer = await askChat(one, { message: 'Where is zanzibar?' }, { token: stranger.token });
  assert.deepEqual([answer.offline, answer.entities], [true, []]);
  assert.equal(
    (await askChat(one, { message: 'Where is zanzibar?' }, { token: owner.token })).entities[0]?.entity_id,
    'vault',
  );
});

test('tenants hear that the operator’s model failed, not where it is and what it says of its account', async () => {
  llm.script({ refuse: { status: 429, message: 'The organisation org-4711 is over its quota' } });
  const test = await one.call('POST', '/api/ai/providers/installation/test', { token: stranger.token });
  assert.match(test.text, /The model of this installation is busy/);
  assert.doesNotMatch(test.text, /127\.0\.0\.1|org-4711/);
});
