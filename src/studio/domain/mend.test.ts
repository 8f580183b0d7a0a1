import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mendedField, withMeantLinks } from './mend.ts';

test('a fix changes its field, an entry of a list or a key of a map', () => {
  const fields = { height: '164', people: ['ada', 'Bo'], arc: { end: 'no' } };
  const fix = { kind: 'type', field: 'height', before: '164', after: 164 };
  assert.deepEqual(mendedField(fields, fix), { name: 'height', value: 164 });
  const named = { kind: 'reference', field: 'people.1', before: 'Bo', after: 'bo' };
  assert.deepEqual(mendedField(fields, named), { name: 'people', value: ['ada', 'bo'] });
  const key = { kind: 'option', field: 'arc.end', before: 'no', after: false };
  assert.deepEqual(mendedField(fields, key), { name: 'arc', value: { end: false } });
  const missing = { kind: 'missing_default', field: 'mood', before: null, after: 'calm' };
  assert.deepEqual(mendedField(fields, missing), { name: 'mood', value: 'calm' });
});

test('a reference that leads nowhere is taken out', () => {
  const fix = { kind: 'dangling_reference', field: 'people.0', before: 'nobody', after: null };
  assert.deepEqual(mendedField({ people: ['nobody', 'bo'] }, fix), { name: 'people', value: ['bo'] });
  const single = { ...fix, field: 'home', after: '' };
  assert.deepEqual(mendedField({ home: 'nobody' }, single), { name: 'home', value: '' });
});

test('a value that is another one by now is left alone', () => {
  const fix = { kind: 'type', field: 'height', before: '164', after: 164 };
  assert.equal(mendedField({ height: '170' }, fix), undefined);
  assert.equal(mendedField({}, fix), undefined);
});

test('links of one line lead to what is meant, and keep their words', () => {
  const meant = { type: 'character', id: 'mira_vale' };
  const text = 'A [[mira]].\nShe is [[place:mira|Mira]], `[[mira]]` and [[ mira ]].\n';
  assert.equal(
    withMeantLinks(text, { target: 'mira', line: 2, meant }),
    'A [[mira]].\nShe is [[character:mira_vale|Mira]], `[[mira]]` and [[character:mira_vale ]].\n',
  );
  assert.equal(withMeantLinks(text, { target: 'mira', line: 3, meant }), undefined);
});
