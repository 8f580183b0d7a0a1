import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type Contract, hasBody, paramNames, takesFiles } from '../src/kit/contract.ts';
import type { OpenApiDocument } from '../src/kit/openapi/document.ts';
import { startAccounts } from './support/accounts.ts';
import { buildStudio } from './support/built-studio.ts';
import { startCore } from './support/core.ts';

const surfaces = {
  core: await startCore(),
  accounts: await startAccounts(),
  desktop: await startCore({ surface: 'desktop' }),
};
after(() => Promise.all(Object.values(surfaces).map((surface) => surface.close())));

test('examples work on the sample world: what they read is there, what they make is not', async (t) => {
  const studio = buildStudio();
  const core = await startCore({ content: 'sample', studioFolder: studio.folder });
  t.after(async () => {
    await core.close();
    studio.remove();
  });
  await core.call('POST', '/api/sync/refresh-all', { body: {} });
  for (const { name, method, path, example } of core.contracts) {
    const { params = {}, query = {}, body } = example;
    const namesContent = 'brand_id' in params || 'path' in params || ('type' in params && 'id' in params);
    const isOfWorld = !path.startsWith('/api/plugins/');
    const reads = method === 'GET' && namesContent && isOfWorld && !('version' in params) && !('at' in query);
    if (!reads && name !== 'createEntity') continue;
    const address = path.replaceAll(/\{([^}]+)\}/g, (_whole, param: string) => String(params[param]));
    const { status, text } = await core.call(method, address, body === undefined ? {} : { body });
    assert.equal(status, reads ? 200 : 201, `${name}: ${text}`);
  }
});

const isJson = (contract: Contract) =>
  contract.replyType === 'application/json' && contract.name !== 'getOpenApi';

const sources = await Promise.all(
  Object.entries(surfaces).map(async ([name, { app, contracts }]) => {
    const { body } = await app.inject({ url: '/openapi.json' });
    return { name, contracts, source: body };
  }),
);
for (const { name, contracts, source } of sources) describe(name, () => describeSurface(contracts, source));

function describeSurface(contracts: readonly Contract[], source: string): void {
  const document: OpenApiDocument = JSON.parse(source);

  test('the document has no finding of the recommended rules', async () => {
    // The specification itself has `/entity/{type}/{id}` beside `/entity/sync/all`: fixed segments win. Routes that
    // browsers are sent to answer only 302.
    const rules = { 'no-ambiguous-paths': 'off', 'operation-2xx-response': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const findings = await lintFromString({ source, config });
    const read = findings.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    );
    assert.deepEqual(read, []);
  });

  test('every mounted route is described, under its own name', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const mounted = contracts.map(({ name, method, path }) => `${name} ${method} ${path}`);
    assert.deepEqual(described.sort(), mounted.sort());
  });

  test('every group of routes says what it is about', () => {
    for (const { name, description } of document.tags)
      assert.ok(description.length > 10, `the tag '${name}' has no words: its module declares none`);
  });

  test('every route has an example of its request and of its reply', () => {
    const missing = contracts.flatMap((contract) => {
      const { name, example } = contract;
      const lacksParams = paramNames(contract.path).some((param) => example.params?.[param] === undefined);
      const required: string[] = (contract.query as { required?: string[] }).required ?? [];
      return [
        ...(lacksParams ? [`${name}: params`] : []),
        ...(required.some((param) => example.query?.[param] === undefined) ? [`${name}: query`] : []),
        ...(hasBody(contract) && !takesFiles(contract) && example.body === undefined
          ? [`${name}: body`]
          : []),
        ...(isJson(contract) && example.reply === undefined ? [`${name}: reply`] : []),
      ];
    });
    assert.deepEqual(missing, []);
  });
}
