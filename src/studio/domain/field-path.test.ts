import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { keysOf, pathOf, valueAt, withValueAt } from './field-path.ts';

const key = fc.string({ minLength: 1 });

test('a path gives back the keys that it was made of', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1 }), (keys) => {
      assert.deepEqual(keysOf(pathOf(...keys)), keys);
    }),
  );
});

test('a value that was set is found, and the rest stays as it was', () => {
  const values = { arc: { beginning: 'at sea', ending: '' }, 'a.b': 1, voice: {} };
  const changed = withValueAt(values, 'arc.ending', 'at home');
  assert.deepEqual(changed, { arc: { beginning: 'at sea', ending: 'at home' }, 'a.b': 1, voice: {} });
  assert.equal(values.arc.ending, '');
  assert.equal(changed.voice, values.voice);
  assert.equal(valueAt(changed, 'arc.ending'), 'at home');
  assert.equal(valueAt(values, pathOf('a.b')), 1);
  assert.deepEqual(withValueAt({}, 'new.inner', 1), { new: { inner: 1 } });
});

test('keys of the language itself are plain keys', () => {
  assert.equal(valueAt({}, 'constructor'), undefined);
  assert.equal(valueAt({ text: 'abc' }, 'text.length'), undefined);
  const changed = withValueAt({}, '__proto__.polluted', true);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.deepEqual(Object.keys(changed), ['__proto__']);
});
