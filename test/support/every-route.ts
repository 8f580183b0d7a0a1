import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type Contract, hasBody, isRead, querySchemaOf, takesFiles } from '../../src/kit/contract.ts';
import { type SampleOptions, sampleRequest } from './sample-request.ts';
import { type Wrong, wrongBodies, wrongTexts } from './wrong-inputs.ts';

export interface MountedSurface {
  app: FastifyInstance;
  contracts: readonly Contract[];
  /** May do everything. */
  adminToken: string;
  viewerToken: string;
  /** Presented by other surfaces. */
  serviceToken?: string;
}

/** As browsers send writes of other pages, older ones without `Sec-Fetch-Site`. */
const CROSS_SITE = [
  { origin: 'https://evil.example' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
];

/** Tests the answers of every route to unauthorized callers, and to malformed requests. */
export function testEveryRoute({
  app,
  contracts,
  adminToken,
  viewerToken,
  serviceToken = '',
}: MountedSurface): void {
  const needsToken = contracts.filter((contract) => contract.auth === 'bearer');
  const takesBody = contracts.filter(hasBody);
  const [takesForm, takesJson] = [
    takesBody.filter(takesFiles),
    takesBody.filter((each) => !takesFiles(each)),
  ];
  const propertiesOf = (schema: unknown) =>
    Object.entries((schema as { properties?: object }).properties ?? {});

  const tokenFor = ({ auth }: Contract): SampleOptions =>
    auth === 'bearer' ? { token: adminToken } : auth === 'service' ? { token: serviceToken } : {};

  /** Sends the request with all rights and expects a refusal in the standard form. */
  async function refused(
    contract: Contract,
    status: number,
    options: SampleOptions = {},
    why = '',
  ): Promise<void> {
    const token = tokenFor(contract);
    const reply = await app.inject(sampleRequest(contract, { ...token, ...options }));
    expectRefusal(reply, status, `${nameOf(contract)} ${why}`);
  }

  function expectRefusal(reply: LightMyRequestResponse, status: number, what: string): void {
    assert.equal(reply.statusCode, status, `${what}: ${reply.body.slice(0, 300)}`);
    assert.match(String(reply.headers['content-type']), /^application\/json/, what);
    assert.equal(typeof reply.headers['x-request-id'], 'string', what);
    const { detail } = reply.json<{ detail: unknown }>();
    assert.ok(typeof detail === 'string' && detail.length > 0, `${what}: the detail is missing`);
  }

  const inWrongForm = (text: string, options: SampleOptions = {}): SampleOptions => ({
    ...options,
    payload: text,
  });

  test('there are routes of every kind to look at', () => {
    assert.ok(needsToken.length > 0 && takesBody.length > 0);
    assert.ok(contracts.some((contract) => contract.role !== 'viewer'));
  });

  for (const contract of needsToken) {
    test(`${nameOf(contract)}: 401 without a token, and with one that is none`, async () => {
      const withoutToken = sampleRequest(contract);
      const reply = await app.inject(withoutToken);
      expectRefusal(reply, 401, nameOf(contract));
      assert.equal(reply.headers['www-authenticate'], 'Bearer');
      const [header = '', payload = '', signature = ''] = adminToken.split('.');
      const forged = [header, payload, [...signature].reverse().join('')].join('.');
      const unsigned = [Buffer.from('{"alg":"none"}').toString('base64url'), payload, ''].join('.');
      for (const token of ['', 'nonsense', 'a.b.c', forged, unsigned])
        await refused(contract, 401, { token }, token);
      await refused(contract, 401, { headers: { authorization: `Basic ${adminToken}` } }, 'Basic');
    });
  }

  for (const contract of contracts.filter((each) => !isRead(each) && each.method !== 'OPTIONS')) {
    test(`${nameOf(contract)}: 403 for a browser on a page of another site`, async () => {
      for (const headers of CROSS_SITE) {
        const reply = await app.inject(sampleRequest(contract, { headers }));
        expectRefusal(reply, 403, `${nameOf(contract)} ${JSON.stringify(headers)}`);
        assert.equal(reply.json<{ code: string }>().code, 'cross_origin');
      }
    });
  }

  for (const contract of contracts.filter(({ auth }) => auth === 'refresh')) {
    test(`${nameOf(contract)}: 401 with a refresh token that is none`, () => refused(contract, 401));
  }

  for (const contract of contracts.filter(({ auth }) => auth === 'cookie' || auth === 'service')) {
    test(`${nameOf(contract)}: 401 without what it asks for, and with what is none`, async () => {
      await refused(contract, 401, { headers: { authorization: '' } });
      await refused(contract, 401, { token: adminToken });
    });
  }

  for (const contract of needsToken.filter(({ role }) => role !== 'viewer')) {
    test(`${nameOf(contract)}: 403 for a viewer`, () => refused(contract, 403, { token: viewerToken }));
  }

  for (const contract of takesBody) {
    test(`${nameOf(contract)}: 415 when the body is of another type`, async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        await refused(contract, 415, { headers: { 'content-type': type } }, type);
      }
    });

    test(`${nameOf(contract)}: ${contract.tooLarge} when the body is too large`, () => {
      const headers = { 'content-length': String(contract.bodyLimit + 1) };
      return refused(contract, contract.tooLarge, { headers });
    });
  }

  for (const contract of takesForm) {
    test(`${nameOf(contract)}: 400 when the form is broken, 422 when a file is missing`, async () => {
      await refused(contract, 400, inWrongForm('not a form'));
      await refused(contract, 422, inWrongForm('--sample-boundary--\r\n'));
    });
  }

  for (const contract of takesJson) {
    test(`${nameOf(contract)}: 400 when the body is not JSON`, async () => {
      const texts = ['{', '{"a":}', 'name=Mira', "{'a': 1}", '{"__proto__": {"role": "admin"}}', '\u0000'];
      for (const text of texts) await refused(contract, 400, inWrongForm(text), text);
    });

    test(`${nameOf(contract)}: 422 when the body has another shape`, async () => {
      const wrong = wrongBodies(contract.body as object, contract.example.body);
      for (const { what, value } of wrong)
        await refused(contract, 422, inWrongForm(JSON.stringify(value)), what);
    });
  }

  /** One request for each wrong value of each parameter. */
  async function refuseEach(
    contract: Contract,
    place: 'params' | 'query',
    schemas: [string, object][],
  ): Promise<void> {
    for (const [name, schema] of schemas) {
      for (const { what, value } of wrongTexts(schema)) {
        await refused(contract, 422, { [place]: { [name]: value } }, `${name} ${what}`);
      }
    }
  }

  const canBeWrong = ([, schema]: [string, object]): boolean => wrongTexts(schema).length > 0;

  for (const contract of contracts) {
    const query = propertiesOf(querySchemaOf(contract)).filter(canBeWrong);
    const params = propertiesOf(contract.params).filter(canBeWrong);
    if (query.length > 0) {
      test(`${nameOf(contract)}: 422 when a query parameter is out of bounds`, () =>
        refuseEach(contract, 'query', query));
    }
    if (params.length > 0) {
      test(`${nameOf(contract)}: 422 when a part of the path is out of bounds`, () =>
        refuseEach(contract, 'params', params));
    }
  }

  for (const contract of contracts.filter(({ project }) => project)) {
    test(`${nameOf(contract)}: 422 when the project's name is none`, async () => {
      for (const name of ['../other', 'UPPER', 'x'.repeat(65)]) {
        await refused(contract, 422, { headers: { 'x-project-id': name } }, name);
      }
    });
  }

  const isOwn = ({ project, auth }: Contract): boolean => project || auth === 'bearer';

  test('what is somebody’s is kept by no cache that serves others, and told apart by who asks', async () => {
    let answered = 0;
    for (const contract of contracts.filter((each) => each.method === 'GET' && isOwn(each))) {
      const { statusCode, headers } = await app.inject(
        sampleRequest(contract, { ...tokenFor(contract), token: adminToken }),
      );
      if (statusCode >= 300) continue;
      answered += 1;
      const kept = String(headers['cache-control']);
      assert.match(kept, contract.auth === 'none' ? /./ : /no-store|private/, nameOf(contract));
      if (headers.etag === undefined) assert.match(kept, /no-store/, nameOf(contract));
      assert.match(String(headers.vary), /Authorization, Cookie/, nameOf(contract));
    }
    assert.ok(answered > 0, 'nothing was answered');
  });

  test('what is not there is 404, whatever the method', async () => {
    const wrongs: Wrong[] = [
      { what: 'GET', value: '/api/no-such-thing' },
      { what: 'POST', value: '/health' },
      { what: 'DELETE', value: '/openapi.json' },
    ];
    for (const { what, value } of wrongs) {
      const reply = await app.inject({ method: what as 'GET', url: String(value) });
      expectRefusal(reply, 404, `${what} ${value}`);
    }
  });
}

const nameOf = (contract: Contract) => `${contract.method} ${contract.path}`;
