import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from './support/core.ts';
import { installPlugin } from './support/our-plugins.ts';
import { until } from './support/until.ts';
import { answering, startReceiver } from './support/webhook-receiver.ts';

const CUSTOM = '/api/plugins/chat-poster/custom';

test('new and deleted entries of a service reach a chat, also one that is slow or was away', async (t) => {
  const chat = await startReceiver();
  t.after(chat.close);
  const core = await startCore({ content: 'templates', env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
  t.after(core.close);
  const { host } = new URL(chat.url);
  await installPlugin(core, 'chat-poster', {
    permissions: ['entities:read', 'kv', 'settings:read', `http:${host}`],
    settings: { webhook_url: `${chat.url}/hook`, kind: 'discord', world_name: 'Aurelia', pause_seconds: 0 },
  });
  const status = async () =>
    (await core.call<{ waiting: number; failures: number }>('GET', `${CUSTOM}/status`)).body;
  const contents = () => chat.received.map(({ event }) => event.content);
  const make = (entity_id: string, name: string) =>
    core.call('POST', '/api/entity/character', { body: { entity_id, name } });

  const tried = await core.call('POST', `${CUSTOM}/test`);
  assert.deepEqual([tried.text, contents()], ['{"posted":true}', ['Aurelia: Canonry can post here.']]);

  // The guest is told of what follows the moment in which it began.
  await until(async () => {
    const { text } = await core.call('GET', '/api/plugins/chat-poster/log');
    return text.includes('from now on');
  });
  chat.answer((response, message) => void setTimeout(() => answering(204)(response, message), 600));
  await make('mira', 'Mira');
  await until(() => chat.received.length === 2);
  await until(async () => (await status()).waiting === 0);
  assert.deepEqual(contents().slice(1), ['Aurelia: new: character “Mira”']);

  chat.answer(answering(503));
  await core.call('DELETE', '/api/entity/character/mira');
  await until(async () => (await status()).failures > 0);
  chat.answer(answering(204));
  const sent = await core.call<{ waiting: number }>('POST', `${CUSTOM}/send`);
  assert.equal(sent.body.waiting, 0, sent.text);
  assert.equal(contents().at(-1), 'Aurelia: deleted: character “Mira”');
  assert.equal(
    (await core.call('GET', `${CUSTOM}/status`, { token: await core.registerViewer() })).status,
    403,
  );
});
