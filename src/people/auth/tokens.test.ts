import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { createTestClock, startAuth, TEST_SECRET } from '../../../test/support/auth.ts';
import { openTestSqlite } from '../../../test/support/databases.ts';

const opened = await openTestSqlite();
const clock = createTestClock();
const auth = await startAuth({ database: opened.database, clock });
const { access_token: real } = await auth.register('mara@example.com');
test.after(async () => {
  await auth.app.close();
  await opened.close();
});

const [header = '', payload = '', signature = ''] = real.split('.');
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = decoded(payload) as JWTPayload & { iat: number; exp: number };

const signed = (
  changes: Record<string, unknown>,
  head: JWTHeaderParameters = { alg: 'HS256', typ: 'at+jwt' },
  secret = TEST_SECRET,
) => new SignJWT({ ...claims, ...changes }).setProtectedHeader(head).sign(Buffer.from(secret));

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The last letter has two unused bits. */
const withOtherLastLetter = (token: string): string =>
  token.slice(0, -1) + LETTERS[LETTERS.indexOf(token.slice(-1)) + 1];

const statusOf = async (token: string) => (await auth.get('me', token)).status;

test('a token made by hand with the right secret and claims is taken', async () => {
  assert.equal(await statusOf(await signed({})), 200);
});

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const rsa = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(privateKey);

const ATTACKS: Record<string, () => Promise<string> | string> = {
  nothing: () => 'x',
  'no signature': () => `${header}.${payload}.`,
  'alg none': () => `${encoded({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
  'alg None': () => `${encoded({ alg: 'None', typ: 'at+jwt' })}.${payload}.`,
  'another algorithm of the family': () => signed({}, { alg: 'HS512', typ: 'at+jwt' }),
  RSA: () => rsa,
  'another secret': () => signed({}, undefined, `${TEST_SECRET}!`),
  'an empty secret by another name': () => signed({}, undefined, ' '.repeat(64)),
  'another type': () => signed({}, { alg: 'HS256', typ: 'JWT' }),
  'no type': () => signed({}, { alg: 'HS256' }),
  'another issuer': () => signed({ iss: 'somebody' }),
  'changed claims': () => `${header}.${encoded({ ...claims, role: 'owner' })}.${signature}`,
  'issued in the future': () => signed({ iat: claims.iat + 61, exp: claims.iat + 900 }),
  'a longer lifetime': () => signed({ exp: claims.iat + 901 }),
  'no expiry': () => signed({ exp: undefined }),
  'no time of issue': () => signed({ iat: undefined }),
  'not yet valid': () => signed({ nbf: claims.iat + 100 }),
  'an unknown critical header': () =>
    signed({}, { alg: 'HS256', typ: 'at+jwt', crit: ['x'], x: 1 }).catch(
      () => `${encoded({ alg: 'HS256', typ: 'at+jwt', crit: ['x'], x: 1 })}.${payload}.${signature}`,
    ),
  'another user': () => signed({ sub: '00000000-0000-4000-8000-000000000000' }),
  'an unknown session': () => signed({ sid: 'unknown' }),
  'no session': () => signed({ sid: undefined }),
  'an unknown role': () => signed({ role: 'root' }),
  'an unknown plan': () => signed({ plan: 'gold' }),
  'claims of the wrong type': () => signed({ email: { toString: 1 } }),
  'padding after the signature': async () => `${await signed({})}=`,
  'another last letter for the same bytes': async () => withOtherLastLetter(await signed({})),
};
for (const [name, make] of Object.entries(ATTACKS)) {
  test(`refuses ${name}`, async () => {
    assert.equal(await statusOf(await make()), 401);
  });
}

test('the role is the account’s, not what the token says', async () => {
  const principal = await auth.authenticate(await signed({ role: 'owner' }));
  assert.equal(principal.role, 'admin');
});

test('a clock that is a little ahead is borne', async () => {
  assert.equal(await statusOf(await signed({ iat: claims.iat + 60, exp: claims.iat + 900 })), 200);
});

test('a refused token says so in one way', async () => {
  const { status, headers, body } = await auth.get('me', await signed({}, undefined, 'x'.repeat(32)));
  assert.deepEqual([status, headers['www-authenticate'], body.code], [401, 'Bearer', 'invalid_token']);
});

test('the key set is empty', async () => {
  assert.deepEqual((await auth.get('.well-known/jwks.json')).body, { keys: [] });
});

test('no token is kept in the database', async () => {
  const first = await auth.register('ben@example.com');
  await auth.post('refresh', { refresh_token: first.refresh_token });
  const tables = await opened.database.system.read(async (db) => db.introspection.getTables());
  const rows = await Promise.all(
    tables.map(({ name }) =>
      opened.database.system.read((db) =>
        db
          .selectFrom(name as never)
          .selectAll()
          .execute(),
      ),
    ),
  );
  const text = JSON.stringify(rows);
  assert.match(text, /ben@example\.com/);
  for (const token of [first.access_token, first.refresh_token])
    assert.ok(!text.includes(token.split('.')[2] ?? token));
  assert.ok(!text.includes('a long pass phrase'));
});
