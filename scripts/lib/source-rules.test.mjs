import assert from 'node:assert/strict';
import test from 'node:test';
import { checkSources } from './source-rules.mjs';

const check = (files) => checkSources(new Map(Object.entries(files)));

const FORBIDDEN = [
  ['content uses Node', 'src/content/a.ts', "import { readFileSync } from 'node:fs';"],
  ['content uses kit', 'src/content/a.ts', "import type { A } from '../kit/a.ts';"],
  ['kit uses platform', 'src/kit/a.ts', "export * from '../platform/files/files.ts';"],
  ['platform uses an adapter', 'src/platform/files/files.ts', "await import('./adapters/local.ts');"],
  [
    'one port uses an adapter of another',
    'src/platform/files/adapters/a.ts',
    "import '../../kv/adapters/memory.ts';",
  ],
  [
    'people use the world',
    'src/people/users/users.service.ts',
    "import '../../world/entities/entities.service.ts';",
  ],
  [
    'a module uses a store of the frame',
    'src/world/mirror/a.ts',
    "import '../../frame/settings/a.store.ts';",
  ],
  [
    'a service of the frame uses the query builder',
    'src/frame/settings/a.ts',
    "import { sql } from 'kysely';",
  ],
  ['a module uses the store of another', 'src/world/mirror/a.ts', "import '../entities/entities.store.ts';"],
  [
    'the world uses people',
    'src/world/entities/a.ts',
    "import type { A } from '../../people/users/users.service.ts';",
  ],
  ['the world uses exchange', 'src/world/mirror/a.ts', "import '../../exchange/realtime/a.ts';"],
  ['a surface goes past a door', 'src/surfaces/a.ts', "import '../world/entities/entities.service.ts';"],
  ['a contract uses its service', 'src/people/users/users.contract.ts', "import './users.service.ts';"],
  ['the client uses a service', 'src/client/client.ts', "import '../people/users/users.service.ts';"],
  ['main uses a module', 'src/main.ts', "import './people/users/users.service.ts';"],
  ['a service uses a vendor package', 'src/people/users/users.service.ts', "import pg from 'pg';"],
  ['a service uses the query builder', 'src/people/users/users.service.ts', "import { sql } from 'kysely';"],
  ['production code uses a test', 'src/kit/a.ts', "import './b.test.ts';"],
  ['an undeclared layer', 'src/misc/a.ts', "import './b.ts';"],
  ['a service reads the environment', 'src/people/users/users.service.ts', 'console.log(process.env.HOME);'],
  ['a suppressed warning', 'src/kit/a.ts', '// @ts-ignore\n'],
  ['a store that names a tenant by hand', 'src/world/a/a.store.ts', "db.where('tenant_id', '=', tenantId)"],
  ['a file that is too long', 'src/kit/a.ts', '\n'.repeat(501)],
  ['a plugin uses the service', 'plugins/a/src/a.ts', "import '../../../src/text/json.ts';"],
  ['a plugin uses another', 'plugins/a/src/a.ts', "import '../../b/src/b.ts';"],
  ['a plugin goes past the kit', 'plugins/a/src/a.ts', "import '../../../starter/plugin/a.ts';"],
];

for (const [name, file, text] of FORBIDDEN) {
  test(`refused: ${name}`, () => assert.equal(check({ [file]: text }).length, 1));
}

const ALLOWED = [
  ['content uses a package', 'src/content/a.ts', "import yaml from 'js-yaml';"],
  [
    'an adapter uses its vendor and its neighbour',
    'src/platform/bus/adapters/a.ts',
    "import 'ioredis';\nimport './b.ts';",
  ],
  ['a surface uses an adapter', 'src/surfaces/core.ts', "import '../platform/kv/adapters/memory.ts';"],
  ['a module uses the door of another', 'src/world/mirror/a.ts', "import '../entities/index.ts';"],
  ['a surface uses a door', 'src/surfaces/a.ts', "import '../world/entities/index.ts';"],
  ['a module uses the frame', 'src/people/users/users.module.ts', "import '../../frame/module.ts';"],
  ['exchange uses the world', 'src/exchange/desktop/a.ts', "import '../../world/mirror/index.ts';"],
  [
    'a store of the frame uses the query builder',
    'src/frame/settings/a.store.ts',
    "import { sql } from 'kysely';",
  ],
  ['a store uses the query builder', 'src/people/users/users.store.ts', "import { sql } from 'kysely';"],
  [
    'a conformance suite uses an adapter',
    'src/platform/kv/kv.conformance.ts',
    "import './adapters/memory.ts';",
  ],
  ['the client uses a contract', 'src/client/client.ts', "import '../people/users/users.contract.ts';"],
  ['a test reads the environment', 'src/people/users/a.test.ts', 'console.log(process.env.HOME);'],
  ['a plugin uses the kit', 'plugins/a/src/a.ts', "import '../../kit/dom.ts'; import './parts/b.ts';"],
  ['the kit of plugins uses the SDK', 'plugins/kit/a.ts', "import '../../starter/plugin/a.ts';"],
  [
    'a test of a plugin uses test support',
    'plugins/a/src/a.test.ts',
    "import '../../../test/support/until.ts';",
  ],
];

for (const [name, file, text] of ALLOWED) {
  test(`allowed: ${name}`, () => assert.deepEqual(check({ [file]: text }), []));
}

test('an import cycle names its files', () => {
  const findings = check({
    'src/kit/a.ts': "import './b.ts';",
    'src/kit/b.ts': "export type { C } from './c.ts';",
    'src/kit/c.ts': "const a = await import('./a.ts');",
  });
  assert.deepEqual(findings, [
    'src/kit/a.ts: import cycle: src/kit/a.ts -> src/kit/b.ts -> src/kit/c.ts -> src/kit/a.ts',
  ]);
});

test('two modules that import each other are named, also where their files make no circle', () => {
  const findings = check({
    'src/world/a/one.ts': "import '../b/index.ts';",
    'src/world/b/index.ts': '',
    'src/world/b/two.ts': "import '../a/index.ts';",
    'src/world/a/index.ts': '',
  });
  assert.deepEqual(findings, ['src/world/a: modules in a circle: world/a -> world/b -> world/a']);
});

test('a finding names file, line and what to do', () => {
  const [finding] = check({ 'src/kit/a.ts': "\n\nimport pg from 'pg';" });
  assert.equal(finding, 'src/kit/a.ts:3: imports pg: pg is imported in platform adapters alone');
});
