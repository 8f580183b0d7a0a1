import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import type { Kysely } from 'kysely';
import { startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { loadConfig } from '../../kit/config/index.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import { createSigningKeys } from '../signing-keys/signing-keys.service.ts';
import type { SigningKeyTables } from '../signing-keys/signing-keys.tables.ts';

const decoded = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwkOf = (kid: string, x: string) => ({ kty: 'OKP', crv: 'Ed25519', kid, x });

forEachDatabase((_name, open) => {
  describe('tokens of the accounts service', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open });
    });
    after(() => accounts.close());

    const statusOf = async (token: string) => (await accounts.ask('GET', '/api/auth/me', { token })).status;
    const jwks = async () =>
      (await accounts.ask('GET', '/.well-known/jwks.json')).body.keys as {
        kid: string;
        x: string;
        d?: string;
      }[];
    const keysOf = (database: TestAccounts['database']) => {
      const { config } = loadConfig({
        mode: 'start',
        surface: 'accounts',
        env: { DATA_DIR: accounts.dataDir },
      });
      return createSigningKeys({
        database,
        box: createSecretBox(config.encryptionKey),
        clock: accounts.clock,
      });
    };

    test('they are signed with a published Ed25519 key; both addresses publish the same, and nothing secret', async () => {
      const [header] = accounts.first.token.split('.');
      const [key] = await jwks();
      assert.deepEqual(decoded(header), { alg: 'EdDSA', typ: 'at+jwt', kid: key?.kid });
      assert.equal(key?.d, undefined);
      const other = await accounts.ask('GET', '/api/auth/.well-known/jwks.json');
      assert.deepEqual(other.body.keys, await jwks());
    });

    test('they name tenant, roles, plan and session', () => {
      const claims = decoded(accounts.first.token.split('.')[1]);
      assert.deepEqual(
        [claims.sub, claims.tenant_id, claims.role, claims.tenant_role, claims.plan, typeof claims.sid],
        [accounts.first.id, accounts.first.tenantId, 'admin', 'owner', 'free', 'string'],
      );
    });

    test('every forgery is refused', async () => {
      const [header = '', payload = '', signature = ''] = accounts.first.token.split('.');
      const claims = decoded(payload);
      const { iat } = claims as { iat: number };
      const [key] = await jwks();
      const { kid = '', x = '' } = key ?? {};
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const sign = (head: JWTHeaderParameters, changes = {}) =>
        new SignJWT({ ...claims, ...changes }).setProtectedHeader(head).sign(privateKey);
      const secretOf = (text: string | Buffer, head = { alg: 'HS256', typ: 'at+jwt', kid }) =>
        new SignJWT(claims).setProtectedHeader(head).sign(Buffer.from(text as string));
      const pem = createPublicKey({ key: jwkOf(kid, x), format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      const typ = 'at+jwt';
      const forgeries: Record<string, string> = {
        'alg none': `${encoded({ alg: 'none', typ, kid })}.${payload}.`,
        'HS256 with the public key as text': await secretOf(pem),
        'HS256 with the bytes of the public key': await secretOf(Buffer.from(x, 'base64url')),
        'another key under our id': await sign({ alg: 'EdDSA', typ, kid }),
        'an unknown id': await sign({ alg: 'EdDSA', typ, kid: 'mine' }),
        'no id': await sign({ alg: 'EdDSA', typ }),
        'a key in the header': await sign({
          alg: 'EdDSA',
          typ,
          kid,
          jwk: publicKey.export({ format: 'jwk' }),
        }),
        'a key elsewhere': await sign({ alg: 'EdDSA', typ, kid, jku: 'https://example.com/jwks.json' }),
        'altered claims': `${header}.${encoded({ ...claims, tenant_role: 'owner', plan: 'team' })}.${signature}`,
        'an altered signature': `${header}.${payload}.${[...signature].reverse().join('')}`,
        'another header': `${encoded({ alg: 'EdDSA', typ: 'JWT', kid })}.${payload}.${signature}`,
        'a refresh token': accounts.first.refreshToken,
      };
      for (const [what, token] of Object.entries(forgeries)) assert.equal(await statusOf(token), 401, what);
      const { key: ours } = await keysOf(accounts.database).signing();
      const ownWith = (changes: object, head: JWTHeaderParameters = { alg: 'EdDSA', typ, kid }) =>
        new SignJWT({ ...claims, ...changes }).setProtectedHeader(head).sign(ours);
      assert.equal(await statusOf(await ownWith({})), 200);
      const wrongs: Record<string, string> = {
        expired: await ownWith({ iat: iat - 1000, exp: iat - 100 }),
        'from the future': await ownWith({ iat: iat + 61, exp: iat + 900 }),
        'a longer lifetime': await ownWith({ exp: iat + 901 }),
        'another issuer': await ownWith({ iss: 'somebody' }),
        'another type': await ownWith({}, { alg: 'EdDSA', typ: 'JWT', kid }),
        'another session': await ownWith({ sid: 'unknown' }),
        'another plan': await ownWith({ plan: 'enterprise' }),
      };
      for (const [what, token] of Object.entries(wrongs)) assert.equal(await statusOf(token), 401, what);
    });

    test('a rotation logs nobody out, in this process or another; the new key signs', async () => {
      const another = await accounts.another();
      const before = await jwks();
      accounts.clock.pass(1_000);
      const kid = await keysOf(accounts.opened.again()).rotate();
      const login = (await another.login(accounts.first.email)).body;
      accounts.clock.pass(5_001);
      const later = (await accounts.login(accounts.first.email)).body;
      assert.equal(decoded(later.access_token.split('.')[0]).kid, kid);
      for (const token of [accounts.first.token, login.access_token, later.access_token]) {
        assert.equal(await statusOf(token), 200);
        assert.equal((await another.ask('GET', '/api/auth/me', { token })).status, 200);
      }
      const kids = (await jwks()).map((key) => key.kid);
      assert.deepEqual(kids, [kid, ...before.map((key) => key.kid)]);
      const refreshed = await accounts.ask('POST', '/api/auth/refresh', {
        body: { refresh_token: accounts.first.refreshToken },
      });
      assert.equal(refreshed.status, 200);
      await another.close();
    });

    test('a token of a key that another process just made is taken at once', async () => {
      await accounts.ask('GET', '/.well-known/jwks.json');
      const keys = keysOf(accounts.opened.again());
      await keys.rotate();
      const { key, kid } = await keys.signing();
      const claims = decoded((await accounts.login(accounts.first.email)).body.access_token.split('.')[1]);
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(key);
      assert.equal(await statusOf(token), 200);
    });

    test('a retired key is forgotten once its last token has run out', async () => {
      const keys = keysOf(accounts.database);
      const kid = await keys.rotate();
      await keys.rotate();
      accounts.clock.pass(3_600_001);
      assert.equal(
        (await jwks()).some((key) => key.kid === kid),
        false,
      );
    });

    test('processes that start at once agree on the first key, and its private part is not readable in the database', async () => {
      const fresh = await startAccounts({ open });
      const [one, other] = [await fresh.another(), await fresh.another()];
      const tokens = await Promise.all(
        [one, other].map(async (process) => (await process.login(fresh.first.email)).body.access_token),
      );
      assert.equal(new Set(tokens.map((token) => decoded(token.split('.')[0]).kid)).size, 1);
      const rows = await fresh.database.system.read((db: Kysely<SigningKeyTables>) =>
        db.selectFrom('signing_keys').selectAll().execute(),
      );
      assert.equal(rows.length, 1);
      assert.doesNotMatch(rows[0]?.private_sealed ?? '{"d"', /"d"|"kty"/);
      for (const process of [one, other]) await process.close();
      await fresh.close();
    });
  });
});
