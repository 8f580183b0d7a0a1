import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, it, type TestContext } from 'node:test';
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  generateAccountSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { listen } from '../../../../test/support/oauth/listen.ts';
import { startAzurite, type TestAzure } from '../../../../test/support/storage/azurite.ts';
import { createOutgoing } from '../../outgoing/outgoing.ts';
import { blobsConformance, withCode } from '../blobs.conformance.ts';
import type { AzurePlace, BlobLimits, BlobStore } from '../blobs.ts';
import { createAzureBlobs } from './azure-blobs.ts';

let azure: TestAzure;
before(async () => {
  azure = await startAzurite();
});
after(() => azure.close());

const hasty: BlobLimits = { answerMs: 800, attempts: 1 };
const bytes = Buffer.from('known bytes');

function openStore(t: TestContext, place: AzurePlace, limits?: BlobLimits): BlobStore {
  const outgoing = createOutgoing({ privateEndpoints: 'admitted' });
  const store = createAzureBlobs({ place, outgoing, ...(limits && { limits }) });
  t.after(() => store.close());
  return store;
}

function tokenFor({ account, account_key: key }: { account: string; account_key: string }): string {
  const values = {
    expiresOn: new Date(Date.now() + 600_000),
    permissions: AccountSASPermissions.parse('rwdlc'),
    resourceTypes: AccountSASResourceTypes.parse('sco').toString(),
    services: AccountSASServices.parse('b').toString(),
  };
  return generateAccountSASQueryParameters(values, new StorageSharedKeyCredential(account, key)).toString();
}

blobsConformance('Azure, by key', async (t) => openStore(t, await azure.newPlace()));

for (const mark of ['', '?']) {
  it(`takes an access token${mark && ' as the portal shows it'}`, async (t) => {
    const { account_key: key, ...place } = await azure.newPlace();
    const token = tokenFor({ ...place, account_key: key });
    const store = openStore(t, { ...place, sas_token: mark + token });
    await store.put('a', bytes);
    await store.copy('a', 'b');
    assert.equal((await store.stat('b'))?.size, bytes.length);
    assert.equal(store.presign, null);
  });
}

it('takes a connection string, with a key or a token', async (t) => {
  const { container, account, account_key: key, endpoint } = await azure.newPlace();
  for (const credentials of [
    `AccountName=${account};AccountKey=${key}`,
    `SharedAccessSignature=${tokenFor({ account, account_key: key })}`,
  ]) {
    const text = `DefaultEndpointsProtocol=http;${credentials};BlobEndpoint=${endpoint};`;
    const store = openStore(t, { provider: 'azure', container, connection_string: text });
    await store.put('a', bytes);
    assert.equal((await store.stat('a'))?.size, bytes.length);
  }
  for (const text of ['', 'nonsense', 'AccountName=x', 'AccountKey=x', 'BlobEndpoint=nowhere;AccountKey=x']) {
    const place: AzurePlace = { provider: 'azure', container, connection_string: text };
    assert.throws(() => openStore(t, place), withCode('bad_credentials'));
  }
});

it('says what is wrong with key and container, and keeps secrets to itself', async (t) => {
  const place = await azure.newPlace();
  const otherKey = randomBytes(32).toString('base64');
  for (const [change, code] of [
    [{ account_key: otherKey }, 'denied'],
    [{ container: 'no-such-container' }, 'no_bucket'],
    [{ endpoint: 'http://127.0.0.1:1/x' }, 'unavailable'],
  ] as const) {
    const store = openStore(t, { ...place, ...change }, { answerMs: 5_000, attempts: 1 });
    const calls = [
      () => store.put('a', bytes),
      () => store.get('a'),
      () => store.list({ prefix: '', limit: 1 }),
    ];
    for (const call of calls) {
      await assert.rejects(call(), (error: Error) => {
        assert.ok(![otherKey, place.account_key].some((secret) => error.message.includes(secret)));
        return withCode(code)(error);
      });
    }
  }
});

it('waits no longer than it may, and follows no redirect', async (t) => {
  const reached: string[] = [];
  const server = await listen(async (url) => (request, response) => {
    reached.push(request.url ?? '');
    response.writeHead(307, { location: `${url}/elsewhere`, 'content-length': 0 }).end();
  });
  t.after(() => server.close());
  const store = openStore(t, { ...(await azure.newPlace()), endpoint: `${server.url}/account` }, hasty);
  await assert.rejects(store.get('a'), withCode('refused'));
  await assert.rejects(store.put('a', bytes), withCode('refused'));
  assert.ok(reached.length === 2 && reached.every((url) => url.startsWith('/account/')));
  server.state = 'frozen';
  const calls = [store.put('a', bytes), store.get('a'), store.delete('a')];
  await Promise.all(calls.map((call) => assert.rejects(call, withCode('unavailable'))));
});

it('goes to no private address unasked', async () => {
  const outgoing = createOutgoing({ privateEndpoints: 'on_request' });
  const store = createAzureBlobs({ place: await azure.newPlace(), outgoing });
  await assert.rejects(store.put('a', bytes), withCode('refused_address'));
  await store.close();
});
