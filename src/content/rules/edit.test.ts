import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedRule, findRuleEntry, withNewRule, withRuleAt } from './index.ts';

const LIST = {
  rules: [{ id: 'a', rule: 'One' }, 'A sentence for people', { id: 'c', description: 'Three' }],
};
const GROUPED = { rules: { style: [{ id: 'a', rule: 'One' }], odd: 'no list', validation: [{ id: 'c' }] } };

function entryOf(data: typeof LIST | typeof GROUPED, id: string) {
  const entry = findRuleEntry(data, id);
  assert.ok(entry, id);
  return entry;
}

describe('the rules of a file', () => {
  it('are found by their ids, also by those made of their text', () => {
    assert.deepEqual(entryOf(LIST, 'a_sentence_for_people'), {
      entry: 'A sentence for people',
      path: ['rules', 1],
    });
    assert.deepEqual(entryOf(GROUPED, 'c'), { entry: { id: 'c' }, path: ['rules', 'validation', 0] });
    assert.equal(findRuleEntry(LIST, 'b'), undefined);
    for (const rules of [undefined, 7, {}]) assert.equal(findRuleEntry({ rules }, 'a'), undefined);
  });

  it('gain one at the end of the list, or of its category', () => {
    const rule = { id: 'n', category: 'style' };
    assert.deepEqual(withNewRule(LIST, rule), [...LIST.rules, rule]);
    for (const data of [{}, { rules: null }, { rules: 7 }]) assert.deepEqual(withNewRule(data, rule), [rule]);
    assert.deepEqual(withNewRule(GROUPED, rule), {
      ...GROUPED.rules,
      style: [{ id: 'a', rule: 'One' }, rule],
    });
    assert.deepEqual(withNewRule(GROUPED, { id: 'n' }), {
      ...GROUPED.rules,
      validation: [{ id: 'c' }, { id: 'n' }],
    });
    assert.deepEqual(withNewRule(GROUPED, { id: 'n', category: 'odd' }), {
      ...GROUPED.rules,
      odd: [{ id: 'n', category: 'odd' }],
    });
  });

  it('hold the keys of a new one in the order of files, its own ones behind', () => {
    const keys = [
      ...['id', 'category', 'priority', 'severity', 'validation_type', 'applies_to', 'field', 'description'],
      ...['message', 'min', 'max', 'min_count', 'pattern', 'reference_type', 'expression', 'enabled'],
    ];
    const given = Object.fromEntries(['own', ...keys.toReversed()].map((key) => [key, key]));
    const [written] = withNewRule({}, given) as [object];
    assert.deepEqual(Object.keys(written), [...keys, 'own']);
  });

  it('give up or change one where it stands', () => {
    const rule = { id: 'z' };
    assert.deepEqual(withRuleAt(LIST, entryOf(LIST, 'a_sentence_for_people'), rule), [
      LIST.rules[0],
      rule,
      LIST.rules[2],
    ]);
    assert.deepEqual(withRuleAt(LIST, entryOf(LIST, 'c'), null), LIST.rules.slice(0, 2));
    assert.deepEqual(withRuleAt(GROUPED, entryOf(GROUPED, 'c'), rule), {
      ...GROUPED.rules,
      validation: [rule],
    });
    assert.deepEqual(withRuleAt(GROUPED, entryOf(GROUPED, 'a'), null), { ...GROUPED.rules, style: [] });
  });
});

describe('a changed rule', () => {
  it('keeps what the change does not name, and loses what is null', () => {
    const entry = { entry: { id: 'a', min: 1, max: 2 }, path: [] };
    assert.deepEqual(changedRule(entry, 'a', { max: 3, min: null, own: true }), {
      id: 'a',
      max: 3,
      own: true,
    });
    assert.deepEqual(entry.entry, { id: 'a', min: 1, max: 2 });
  });

  it('keeps the key of its text', () => {
    assert.deepEqual(changedRule(entryOf(LIST, 'a'), 'a', { description: 'Uno' }), { id: 'a', rule: 'Uno' });
    assert.deepEqual(changedRule(entryOf(LIST, 'c'), 'c', { description: 'Tre' }), {
      id: 'c',
      description: 'Tre',
    });
    const both = { entry: { rule: 'old', description: 'new' }, path: [] };
    assert.deepEqual(changedRule(both, 'x', { description: 'D' }), { rule: 'old', description: 'D' });
    assert.deepEqual(changedRule({ entry: {}, path: [] }, 'x', { description: 'D' }), { description: 'D' });
  });

  it('that was only a sentence becomes a mapping', () => {
    assert.deepEqual(changedRule(entryOf(LIST, 'a_sentence_for_people'), 'kept', { priority: 'low' }), {
      id: 'kept',
      rule: 'A sentence for people',
      priority: 'low',
    });
  });
});
