import assert from 'node:assert/strict';
import test from 'node:test';
import { missingOptionals } from './lock-optionals.mjs';

test('an optional package that npm left out is added for its platform', () => {
  const packages = {
    'node_modules/tool': {
      dev: true,
      optionalDependencies: { '@tool/linux-x64': '1.2.3', '@tool/linux-arm64-musl': '1.2.3' },
    },
    'node_modules/@tool/linux-x64': { version: '1.2.3' },
  };
  assert.deepEqual(missingOptionals(packages), {
    'node_modules/@tool/linux-arm64-musl': {
      version: '1.2.3',
      cpu: ['arm64'],
      os: ['linux'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
  });
});

test('an optional dependency without an exact version is left to npm', () => {
  assert.deepEqual(
    missingOptionals({ 'node_modules/pg': { optionalDependencies: { 'pg-cloudflare': '^1.4.0' } } }),
    {},
  );
});
