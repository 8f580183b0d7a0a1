import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import type { Layout } from '../../content/layout/index.ts';
import { schemaOf } from '../../content/template/index.ts';
import { arrangedFormOf } from './arranged-form.ts';
import { placedBlocks } from './form-layout.ts';
import { type FormGroup, type FormItem, firstEmptyField } from './form-model.ts';

const character = schemaOf(starterTemplates().get('character') ?? assert.fail('no character'));

const arranged = (layout: Layout, values: Record<string, unknown> = {}): FormGroup[] =>
  arrangedFormOf({ ...character, 'x-form-layout': layout }, values);

const nameOf = (item: FormItem): string => {
  if ('block' in item) return item.block;
  return 'group' in item ? item.group.id : item.field.path;
};
const namesIn = (groups: readonly FormGroup[], kind: FormGroup['kind']): string[] =>
  groups.filter((group) => group.kind === kind).flatMap(({ items = [] }) => items.map(nameOf));

const pathsOf = (groups: readonly FormGroup[]): string[] =>
  groups.filter(({ kind }) => kind !== 'production').flatMap(({ fields }) => fields.map(({ path }) => path));

test('sections stand in the order of the layout, with what they place, and every field has one place', () => {
  const groups = arranged(
    {
      sections: [
        { label: 'Deeds', collapsed: true, items: [{ block: 'plugin:words:goals' }] },
        { label: 'Who', items: [{ field: 'birth_year', width: 'half' }, { field: 'arc' }] },
      ],
      hidden: ['ghost', 'secrets'],
    },
    { old_habit: 'hums' },
  );
  assert.deepEqual(
    groups.map(({ kind, label, isFolded = false }) => [kind, label, isFolded]),
    [
      ['section', 'Deeds', true],
      ['section', 'Who', false],
      ['unplaced', null, false],
      ['production', null, false],
      ['kept', null, false],
      ['hidden', null, true],
    ],
  );
  assert.deepEqual(namesIn(groups, 'section'), ['plugin:words:goals', 'birth_year', 'object:arc']);
  assert.deepEqual(
    groups[1]?.items?.map(({ width }) => width),
    ['half', 'full'],
  );
  assert.deepEqual(namesIn(groups, 'hidden').toSorted(), ['ghost', 'secrets']);
  const everything = [...pathsOf(arranged({ sections: [], hidden: [] })), 'old_habit'];
  assert.deepEqual(pathsOf(groups).toSorted(), everything.toSorted());
});

test('the fields of an object have places of their own, and a value that is none is edited as it is', () => {
  const layout: Layout = { sections: [{ label: 'Arc', items: [{ field: 'arc' }] }], hidden: [] };
  const [section] = arranged(layout, { arc: { beginning: 'at sea', twist: 'a bell' } });
  assert.deepEqual(
    section?.fields.map(({ path }) => path),
    ['arc.beginning', 'arc.turning_point', 'arc.ending', 'arc.twist'],
  );
  const [other] = arranged(layout, { arc: 'long' });
  assert.deepEqual(
    other?.fields.map(({ path, widget }) => [path, widget]),
    [['arc', 'text']],
  );
});

test('names that do not exist, names that stand twice and sections without anything are passed over', () => {
  const groups = arranged({
    sections: [
      { label: 'Nothing', items: [] },
      { label: 'No place', items: [{ block: 'assets' }] },
      { label: 'Gone', items: [{ field: 'birth_yaer' }] },
      { label: 'Twice', items: [{ field: 'want' }, { field: 'want', width: 'third' }] },
    ],
    hidden: ['want', 'nobody'],
  });
  assert.deepEqual(
    groups.map(({ kind, label }) => label ?? kind),
    ['Twice', 'unplaced', 'production'],
  );
  assert.deepEqual(namesIn(groups, 'section'), ['want']);
});

test('the first empty field is the first one of the layout, and none that it hides', () => {
  const groups = arranged({
    sections: [{ label: 'Who', items: [{ field: 'summary' }, { field: 'want' }] }],
    hidden: ['aliases'],
  });
  assert.equal(firstEmptyField(groups, { summary: 'A tide reader.' }), 'want');
  const onlyHidden = groups.filter(({ kind }) => kind === 'hidden');
  assert.equal(firstEmptyField(onlyHidden, {}), undefined);
});

test('the blocks of a layout are known from the schema, also where its file cannot be read or there is none', () => {
  const sections = [{ label: 'A', items: [{ field: 'want' }, { block: 'plugin:words:goals' }] }];
  assert.deepEqual(placedBlocks({ 'x-form-layout': { sections, hidden: [] } }), ['plugin:words:goals']);
  for (const schema of [undefined, {}, { 'x-form-layout': null }]) assert.deepEqual(placedBlocks(schema), []);
});
