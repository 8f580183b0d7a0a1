import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { startCore } from './support/core.ts';
import { NOBODY, startEdge, tell } from './support/edge.ts';
import { listen } from './support/listen.ts';

const core = await startCore();
const edge = await startEdge({ accountsUrl: NOBODY, coreUrls: [await listen(core)] });
after(async () => {
  await edge.close();
  await core.close();
});

const BODY = 'The salt road ends at Harrow. '.repeat(300);
const MIRA = '/api/entity/character/mira';
const taking = { 'accept-encoding': 'gzip, br' };

test('the tag of a compressed entity is good for asking again and for changing it', async () => {
  const body = { entity_id: 'mira', name: 'Mira', markdown_body: BODY };
  assert.equal((await core.call('POST', '/api/entity/character', { body })).status, 201);
  const read = await core.app.inject({
    url: MIRA,
    headers: { ...taking, authorization: `Bearer ${core.adminToken}` },
  });
  assert.equal(read.headers['content-encoding'], 'br');
  const tag = String(read.headers.etag);
  assert.match(tag, /^W\/"/);
  const known = await core.call('GET', MIRA, { headers: { ...taking, 'if-none-match': tag } });
  assert.deepEqual([known.status, known.text], [304, '']);
  const change = (name: string) => core.call('PUT', MIRA, { body: { name }, headers: { 'if-match': tag } });
  assert.equal((await change('Mira Vale')).status, 200);
  assert.equal((await change('Mira Harrow')).status, 412);
});

test('an edge passes a compressed reply on as it is', async () => {
  const headers = { ...taking, authorization: `Bearer ${core.adminToken}` };
  const direct = await core.app.inject({ url: '/api/entity/character', headers });
  const raw = await fetch(`${edge.url}/api/entity/character`, { headers });
  assert.equal(raw.headers.get('content-encoding'), 'br');
  assert.equal(raw.headers.get('vary'), direct.headers.vary);
  assert.equal(await raw.text(), brotliDecompressSync(direct.rawPayload).toString());
  const plain = await tell(`${edge.url}/api/entity/character`, {
    headers: { authorization: headers.authorization },
  });
  assert.equal(plain.headers['content-encoding'], undefined);
});
