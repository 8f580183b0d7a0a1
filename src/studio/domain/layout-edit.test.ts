import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Layout } from '../../content/layout/index.ts';
import * as edit from './layout-edit.ts';

const GOALS = { block: 'plugin:words:goals' };
const layout: Layout = {
  sections: [
    { label: 'Who', items: [{ field: 'want', width: 'half' }, { field: 'need' }] },
    { label: 'Where', items: [GOALS] },
  ],
  hidden: ['ghost'],
};

const shown = ({ sections, hidden }: Layout): string =>
  [...sections.map(({ label, items }) => `${label}: ${items.map(nameOf).join(' ')}`), hidden.join(' ')].join(
    ' | ',
  );
const nameOf = (item: edit.LayoutItem): string => (edit.isField(item) ? item.field : item.block);

test('sections are added, named, folded, moved and removed', () => {
  assert.equal(
    shown(edit.withSection(layout, 'More')),
    'Who: want need | Where: plugin:words:goals | More:  | ghost',
  );
  assert.equal(shown(edit.movedSection(layout, 1, -1)), 'Where: plugin:words:goals | Who: want need | ghost');
  assert.equal(shown(edit.movedSection(layout, 1, 1)), shown(layout));
  assert.equal(shown(edit.withoutSection(layout, 0)), 'Where: plugin:words:goals | ghost');
  const renamed = edit.changedSection(layout, 1, { label: 'There', collapsed: true });
  assert.deepEqual(renamed.sections[1], { label: 'There', collapsed: true, items: [GOALS] });
});

test('a field has one place, whatever it is given', () => {
  assert.equal(
    shown(edit.withItem(layout, 1, { field: 'want' })),
    'Who: need | Where: plugin:words:goals want | ghost',
  );
  assert.equal(
    shown(edit.withItem(layout, 0, { field: 'ghost' })),
    'Who: want need ghost | Where: plugin:words:goals | ',
  );
  assert.equal(shown(edit.withHidden(layout, 'want')), 'Who: need | Where: plugin:words:goals | ghost want');
  assert.equal(shown(edit.withoutHidden(layout, 'ghost')), 'Who: want need | Where: plugin:words:goals | ');
  assert.equal(
    shown(edit.withoutItem(layout, { section: 0, item: 0 })),
    'Who: need | Where: plugin:words:goals | ghost',
  );
});

test('an item goes on into the next section, and stays as it is', () => {
  const from = { section: 0, item: 1 };
  const to = edit.placeAfterMove(layout, from, 1);
  assert.deepEqual(to, { section: 1, item: 0 });
  assert.equal(
    shown(edit.movedItem(layout, from, to ?? from)),
    'Who: want | Where: need plugin:words:goals | ghost',
  );
  const back = edit.placeAfterMove(layout, { section: 1, item: 0 }, -1);
  assert.deepEqual(back, { section: 0, item: 2 });
  const up = edit.placeAfterMove(layout, from, -1) ?? assert.fail('no place');
  assert.equal(shown(edit.movedItem(layout, from, up)), 'Who: need want | Where: plugin:words:goals | ghost');
  assert.equal(edit.placeAfterMove(layout, { section: 0, item: 0 }, -1), null);
  assert.equal(edit.placeAfterMove(layout, { section: 1, item: 0 }, 1), null);
});

test('width and widget are of fields alone, and can be taken back', () => {
  const slim = edit.changedItem(layout, { section: 0, item: 1 }, { width: 'third', widget: 'textarea' });
  assert.deepEqual(slim.sections[0]?.items[1], { field: 'need', width: 'third', widget: 'textarea' });
  const block = edit.changedItem(layout, { section: 1, item: 0 }, { width: 'third' });
  assert.deepEqual(block.sections[1]?.items[0], GOALS);
});

test('what the type lacks, or has a place already, is left out and named', () => {
  const { layout: fitting, left } = edit.fittingLayout(
    {
      sections: [{ label: 'Who', items: [{ field: 'want' }, { field: 'wnat' }, GOALS, { field: 'want' }] }],
      hidden: ['want', 'need'],
    },
    new Set(['want', 'need']),
  );
  assert.equal(shown(fitting), 'Who: want plugin:words:goals | need');
  assert.deepEqual(left, ['wnat', 'want', 'want']);
});
