import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import test from 'node:test';
import { isSupported, withFirstOnPath } from './node.mjs';

test('Node 22.18 and 24 and newer run the sources, others do not', () => {
  for (const version of ['22.18.0', '22.23.3', '24.0.0', '26.10.0']) assert.ok(isSupported(version), version);
  for (const version of ['18.20.8', '20.20.2', '22.17.1', '23.11.0'])
    assert.ok(!isSupported(version), version);
});

test('the folder of the chosen Node stands first on PATH, once', () => {
  const { PATH } = withFirstOnPath('/tools/bin/node', { PATH: ['/usr/bin', '/tools/bin'].join(delimiter) });
  assert.equal(PATH, ['/tools/bin', '/usr/bin'].join(delimiter));
});
