import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fbx } from '../../../test/support/models.ts';
import fc from '../../../test/support/properties.ts';
import { isBinaryFbx, readFbxFacts } from './fbx-facts.ts';

test('an FBX of either width tells what it holds', () => {
  for (const version of [7400, 7500])
    assert.deepEqual(readFbxFacts(fbx(version)), {
      ...{ version: (version / 1000).toFixed(1), generator: 'a test' },
      ...{ meshes: 2, materials: 1, textures: 0, animations: 1, nodes: 2 },
      ...{ vertices: 12, bounds: null },
    });
});

test('one that is damaged anywhere is read or is none, and nothing goes on for ever', () => {
  const whole = fbx(7400);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      const facts = readFbxFacts(damaged.subarray(0, length));
      assert.ok(facts === null || facts.meshes <= 3);
    }),
  );
  assert.equal(isBinaryFbx(Buffer.from('; FBX 7.4.0 project file')), false);
});
