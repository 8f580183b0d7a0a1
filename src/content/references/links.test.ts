import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { linkAt, linksOf } from './links.ts';

test('a link is read with its label, and its whole length', () => {
  const text = 'To [[character:mira_vale#youth|the girl]], ![[old_town]] and [[ miro | ]].';
  const readAt = (written: string) => linkAt(text, text.indexOf(written));
  assert.deepEqual(readAt('[[character'), {
    type: 'character',
    id: 'mira_vale',
    label: 'the girl',
    length: '[[character:mira_vale#youth|the girl]]'.length,
  });
  assert.deepEqual(readAt('![['), {
    type: undefined,
    id: 'old_town',
    label: undefined,
    length: '![[old_town]]'.length,
  });
  assert.equal(readAt('[[ miro')?.label, undefined);
  assert.equal(readAt('To'), undefined);
  assert.equal(linkAt('![[map.png]]', 0), undefined);
});

test('the links of a text are those that begin at its brackets', () => {
  const pieces = ['[[', ']]', '[', ']', '!', '|', '#', ':', 'a', 'character', ' ', '.png', '/', '\\', '\n'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      for (const { type, id, start, end } of linksOf(text)) {
        const read = linkAt(text, text.lastIndexOf('[[', start));
        assert.deepEqual([read?.type, read?.id], [type, id]);
        assert.equal(text.slice(start, end), id);
      }
    }),
  );
});
