import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { SERVICE_TOKEN, startBeta } from '../../../test/support/beta.ts';
import { openTestSqlite } from '../../../test/support/databases.ts';
import { listen } from '../../../test/support/listen.ts';
import { createServer } from '../../kit/http/server.ts';
import { forwardedRoutes } from '../../remote/forwarded-routes.ts';
import { betaContracts } from './beta.contract.ts';

test('a core serves the programme by asking the accounts service', async (t) => {
  const beta = await startBeta(openTestSqlite);
  t.after(() => beta.close());
  const url = await listen(beta.first);
  const core = await createServer({
    ...BARE_SERVER,
    routes: forwardedRoutes(betaContracts, { url, serviceToken: SERVICE_TOKEN }),
    authenticate: (token) => JSON.parse(Buffer.from(token, 'base64url').toString()),
    anonymous: null,
    verifyReplies: true,
  });
  t.after(() => core.close());
  const ask = (method: 'GET' | 'POST', path: string, token: string | null, payload?: object) =>
    core.inject({
      method,
      url: `/api/beta/${path}`,
      ...(payload && { payload }),
      ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
    });
  const { token } = beta.operator;
  const owner = await beta.owner();

  const made = await ask('POST', 'invite', token, { days: 5 });
  assert.equal(made.statusCode, 201, made.body);
  const { code } = made.json().codes[0];
  assert.equal((await ask('GET', `validate/${code}`, null)).json().valid, true);
  assert.equal((await ask('POST', 'redeem', owner.token, { code })).json().plan, 'team');
  assert.equal(await beta.planOf(owner.tenantId), 'team');
  const bad = await ask('POST', 'redeem', owner.token, { code: 'x' });
  assert.deepEqual([bad.statusCode, bad.json().code], [404, 'invalid_code']);
  const refused = await ask('POST', 'invite', owner.token, {});
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'operator_only']);

  const body = { category: 'idea', message: '=schön' };
  assert.equal((await ask('POST', 'feedback', owner.token, body)).statusCode, 201);
  const table = await ask('GET', 'feedback?format=csv', token);
  assert.match(String(table.headers['content-type']), /^text\/csv/);
  assert.match(String(table.headers['content-disposition']), /beta-feedback\.csv/);
  assert.ok(table.body.includes(`"'=schön"`), table.body);
  const asked = await ask('POST', 'waitlist', null, { email: 'ben@example.com' });
  assert.match(asked.json().message, /on its way/);
});
