import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { starterTemplates } from '../../../../../test/support/starter-templates.ts';
import { until } from '../../../../../test/support/until.ts';
import { schemaOf } from '../../../../content/template/index.ts';
import { isEmptyValue } from '../../../domain/field-value.ts';
import { type HarnessOptions, noAxeFaults, openHarness } from '../../../testing/harness.ts';

interface Given {
  schema: Record<string, unknown>;
  values: Record<string, unknown>;
  props?: Record<string, unknown>;
  direction?: 'rtl';
}

async function open(t: TestContext, given: Given, options: HarnessOptions = {}): Promise<Page> {
  const globals = { form: given };
  const page = await openHarness(t, import.meta.url, './form.harness.tsx', { ...options, globals });
  await page.getByRole('heading', { name: 'Form' }).waitFor();
  return page;
}

const schemaWith = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

const asked = (page: Page): Promise<unknown[][]> => page.evaluate(() => window.asked);
const fields = (page: Page): Promise<Record<string, unknown>> => page.evaluate(() => window.now);

async function holds(page: Page, name: string, expected: unknown): Promise<void> {
  const isSo = async () => JSON.stringify((await fields(page))[name]) === JSON.stringify(expected);
  await until(isSo, async () => [name, (await fields(page))[name]]);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const texts = {
  want: { type: 'string', title: 'Want' },
  notes: { type: 'string', title: 'Notes', 'x-widget': 'textarea' },
};

describe('fields by keyboard', () => {
  test('texts, and who has the focus', async (t) => {
    const page = await open(t, { schema: schemaWith(texts), values: { want: 'old' } });
    await page.getByRole('textbox', { name: 'Want' }).fill('a bell');
    await holds(page, 'want', 'a bell');
    await press(page, 'Tab');
    await page.keyboard.type('two');
    await press(page, 'Enter');
    await page.keyboard.type('lines');
    await holds(page, 'notes', 'two\nlines');
    assert.deepEqual(
      (await asked(page)).filter(([what]) => what === 'focus'),
      [
        ['focus', 'want'],
        ['focus', 'notes'],
      ],
    );
  });

  test('a text stays in its box while it grows and shrinks', async (t) => {
    const long = 'To hear the bell once more, and to be told by somebody else what it said.';
    const page = await open(t, {
      schema: schemaWith({ want: texts.want }),
      values: { want: '', also: long },
    });
    await page.getByRole('textbox', { name: 'Want' }).click();
    await page.keyboard.type(long);
    await holds(page, 'want', long);
    await page.getByRole('textbox', { name: 'also' }).click();
    await press(page, 'Control+A');
    await page.keyboard.type('A word.');
    await holds(page, 'also', 'A word.');
  });

  test('choices keep the type of their option, and can be cleared', async (t) => {
    const schema = schemaWith({
      rank: {
        type: 'number',
        title: 'Rank',
        'x-widget': 'select',
        'x-options': [
          { value: 1, label: 'First' },
          { value: 2, label: 'Second' },
        ],
      },
      mood: {
        type: 'string',
        title: 'Mood',
        'x-widget': 'radio-group',
        'x-layout': 'horizontal',
        'x-options': ['calm', 'cross'],
      },
      alive: { type: 'boolean', title: 'Alive', 'x-widget': 'toggle' },
    });
    const page = await open(t, { schema, values: { rank: 7, mood: 'calm', alive: false } });
    await page.getByRole('button', { name: /Rank/ }).focus();
    await press(page, 'ArrowDown');
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['Nothing', 'First', 'Second', '7']);
    await page.getByRole('option', { name: 'Second' }).click();
    await holds(page, 'rank', 2);
    await page.getByRole('button', { name: /Rank/ }).focus();
    await press(page, 'ArrowDown');
    await page.locator('[role="option"]:focus').waitFor();
    await press(page, 'Home', 'Enter');
    await holds(page, 'rank', null);
    await page.getByRole('radio', { name: 'Calm' }).focus();
    await press(page, 'ArrowRight');
    await holds(page, 'mood', 'cross');
    await page.getByRole('switch', { name: 'Alive' }).press('Space');
    await holds(page, 'alive', true);
  });

  test('numbers, ranges, years and dates', async (t) => {
    const schema = schemaWith({
      weight: { type: 'number', title: 'Weight', 'x-widget': 'number', 'x-max': 5 },
      courage: { type: 'number', title: 'Courage', 'x-widget': 'range', 'x-min': 0, 'x-max': 10 },
      birth_year: { type: 'number', title: 'Birth year', 'x-widget': 'year' },
      sworn: { type: 'string', title: 'Sworn', 'x-widget': 'date' },
    });
    const page = await open(t, {
      schema,
      values: { weight: 9, courage: '4', birth_year: 1392, sworn: '28 February 1600' },
    });
    await page.getByText('This has to be at most 5.').waitFor();
    await page.getByRole('textbox', { name: 'Weight' }).press('ArrowDown');
    await holds(page, 'weight', 8);
    await page.getByRole('slider', { name: 'Courage' }).press('ArrowRight');
    await holds(page, 'courage', 5);
    await page.getByRole('textbox', { name: 'Birth year' }).press('ArrowUp');
    await holds(page, 'birth_year', 1393);
    const sworn = page.getByRole('textbox', { name: 'Sworn' });
    await sworn.press('ArrowUp');
    await holds(page, 'sworn', '29 February 1600');
    await sworn.press('Shift+PageUp');
    await holds(page, 'sworn', '28 February 1601');
    await page.getByText(/^28 February 1601, day 584,/).waitFor();
    await sworn.fill('when it rained');
    await page.getByText(/^Not understood as a date/).waitFor();
  });

  test('lists grow at their end, move and shrink', async (t) => {
    const schema = schemaWith({ secrets: { type: 'array', title: 'Secrets', 'x-widget': 'list' } });
    const page = await open(t, { schema, values: { secrets: ['one', 2] } });
    await page.getByRole('textbox', { name: 'Secrets 2' }).press('Enter');
    await page.keyboard.type('three');
    await holds(page, 'secrets', ['one', 2, 'three']);
    await page.getByRole('button', { name: 'Actions for Secrets 3' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await holds(page, 'secrets', ['one', 'three', 2]);
    await page.getByRole('textbox', { name: 'Secrets 1' }).fill('');
    await press(page, 'Tab');
    await holds(page, 'secrets', ['three', 2]);
  });

  test('tags that stay keep the form that they have in the file', async (t) => {
    const schema = schemaWith({ skills: { type: 'array', title: 'Skills', 'x-widget': 'tags' } });
    const page = await open(t, { schema, values: { skills: [7, 'rope'] } });
    await page.getByRole('combobox', { name: 'Skills' }).focus();
    await page.keyboard.type('bells');
    await press(page, 'Enter');
    await holds(page, 'skills', [7, 'rope', 'bells']);
  });

  test('colours: one, many, and one for each key', async (t) => {
    const schema = schemaWith({
      eyes: { type: 'string', title: 'Eyes', 'x-widget': 'color' },
      palette: { type: 'array', title: 'Palette', 'x-widget': 'color-palette' },
      banner: {
        type: 'object',
        title: 'Banner',
        'x-widget': 'color-group',
        properties: { field: { type: 'string' } },
      },
    });
    const page = await open(t, {
      schema,
      values: { eyes: '#112233', palette: [{ hex: '#abcdef' }], banner: { edge: '#000' } },
    });
    await page.getByRole('textbox', { name: 'Eyes', exact: true }).fill('#445566');
    await holds(page, 'eyes', '#445566');
    await page.getByRole('textbox', { name: 'Palette: Add a colour', exact: true }).fill('#ff0000');
    await press(page, 'Enter');
    await holds(page, 'palette', [{ hex: '#abcdef' }, '#ff0000']);
    await page.getByRole('textbox', { name: 'Field', exact: true }).fill('#010203');
    await holds(page, 'banner', { edge: '#000', field: '#010203' });
  });

  test('objects: in a group, in one another and in a list', async (t) => {
    const name = { type: 'string', title: 'Name' };
    const schema = schemaWith({
      arc: {
        type: 'object',
        title: 'Arc',
        properties: { end: { type: 'object', title: 'End', properties: { name } } },
      },
      lines: { type: 'array', title: 'Lines', items: { type: 'object', properties: { name } } },
      shares: {
        type: 'object',
        title: 'Shares',
        'x-widget': 'percentage-group',
        properties: { salt: { type: 'number' } },
      },
    });
    const page = await open(t, {
      schema,
      values: { arc: { end: { more: 1 } }, lines: [{ name: 'Bo' }], shares: { salt: 40, silt: 35 } },
    });
    await page.getByRole('group', { name: 'End' }).getByRole('textbox', { name: 'Name' }).fill('Home');
    await holds(page, 'arc', { end: { more: 1, name: 'Home' } });
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page
      .getByRole('group', { name: 'Lines' })
      .getByRole('textbox', { name: 'Name' })
      .last()
      .fill('Ada');
    await holds(page, 'lines', [{ name: 'Bo' }, { name: 'Ada' }]);
    await page.getByText('75 % in all').waitFor();
    await page.getByRole('slider', { name: 'Salt' }).press('ArrowRight');
    await holds(page, 'shares', { salt: 41, silt: 35 });
  });
});

describe('references', () => {
  const home = {
    type: ['string', 'null'],
    title: 'Home',
    'x-widget': 'entity-selector',
    'x-reference-type': 'location',
    'x-max-selections': 1,
  };
  const friends = {
    type: 'array',
    title: 'Friends',
    'x-widget': 'entity-selector',
    'x-reference-type': 'character',
    'x-relationship-types': [{ value: 'rival', label: 'Rival' }],
  };

  test('complete from names of their type, open by a key and are taken away', async (t) => {
    const page = await open(t, { schema: schemaWith({ home }), values: { home: 'bell_house' } });
    const row = page.getByRole('row', { name: 'Bell House' });
    await row.focus();
    await press(page, 'Control+Enter');
    await until(async () => (await asked(page)).some(([what]) => what === 'open'));
    const opened = (await asked(page)).find(([what]) => what === 'open');
    assert.deepEqual(opened, ['open', { type: 'location', id: 'bell_house' }]);
    await page.getByRole('combobox', { name: 'Home' }).focus();
    await page.keyboard.type('bell');
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      'Bell StairLocation',
      'Make “bell” (Location)',
    ]);
    await press(page, 'ArrowDown', 'Enter');
    await holds(page, 'home', 'bell_stair');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await press(page, 'Backspace');
    await holds(page, 'home', null);
  });

  test('make what is not there, and show what is missing with what may be meant', async (t) => {
    const page = await open(t, { schema: schemaWith({ home }), values: { home: 'bell_hose' } });
    await page.getByText('bell_hose does not exist').waitFor();
    await page.getByRole('button', { name: 'Use Bell House instead' }).click();
    await holds(page, 'home', 'bell_house');
    await page.getByRole('combobox', { name: 'Home' }).focus();
    await page.keyboard.type('Low Water');
    await press(page, 'ArrowDown', 'Enter');
    await holds(page, 'home', 'low_water');
    await page.getByRole('row', { name: 'Low Water' }).waitFor();
  });

  test('carry a word where the template asks for one', async (t) => {
    const page = await open(t, {
      schema: schemaWith({ friends }),
      values: { friends: ['orla_fenn', { id: 'oda_pell', since: 380 }] },
    });
    await page.getByRole('button', { name: /Relationship with Oda Pell/ }).focus();
    await press(page, 'ArrowDown', 'Enter');
    await holds(page, 'friends', ['orla_fenn', { id: 'oda_pell', since: 380, type: 'rival' }]);
    await page.getByRole('button', { name: 'Remove: Orla Fenn' }).click();
    await holds(page, 'friends', [{ id: 'oda_pell', since: 380, type: 'rival' }]);
  });
});

describe('pictures', () => {
  const schema = schemaWith({
    portrait: { type: ['string', 'null'], title: 'Portrait', 'x-widget': 'image' },
  });

  test('are chosen, shown and cleared', async (t) => {
    const page = await open(t, { schema, values: {} });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await (await chooser).setFiles({ name: 'mira.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await holds(page, 'portrait', 'images/mira.png');
    await page.locator('img').waitFor();
    await page.getByRole('button', { name: 'Portrait: Remove' }).click();
    await holds(page, 'portrait', null);
  });

  test('that cannot be uploaded are said', async (t) => {
    const page = await open(t, { schema, values: {} });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await (await chooser).setFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await page.getByText('The picture could not be uploaded. Try again.').waitFor();
    assert.deepEqual(await fields(page), {});
  });
});

describe('what is said about a field', () => {
  test('faults with their line, others’ values and people', async (t) => {
    const props = {
      errors: { want: { message: 'Too loud', line: 22 } },
      theirs: { notes: { who: 'Bo', value: 'theirs' } },
      presence: { want: [{ id: 'u2', name: 'Bo' }] },
    };
    const page = await open(t, { schema: schemaWith(texts), values: { want: 'x', notes: 'mine' }, props });
    await page.getByText('Too loud').waitFor();
    await page.getByRole('link', { name: 'Line 22' }).click();
    await page.getByRole('img', { name: 'Bo' }).waitFor();
    await page.getByRole('button', { name: 'Take theirs' }).press('Enter');
    await page.getByRole('textbox', { name: 'Notes' }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(
      (await asked(page)).filter(([what]) => what === 'settle' || what === 'go'),
      [
        ['go', '#line-22'],
        ['settle', 'notes', 'theirs'],
      ],
    );
  });

  test('empty fields fold, and one that is being emptied stays', async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`f${index}`, { type: 'string' }]),
    );
    const page = await open(t, { schema: schemaWith(many), values: { f11: 'full' } });
    await page.getByRole('button', { name: '5 more fields' }).waitFor();
    await page.getByRole('textbox', { name: 'F11' }).fill('');
    await holds(page, 'f11', '');
    assert.equal(await page.getByRole('textbox', { name: 'F11' }).count(), 1);
    await page.getByRole('button', { name: '5 more fields' }).press('Enter');
    await page.getByRole('button', { name: 'Fewer fields' }).waitFor();
    assert.equal(await page.getByRole('textbox').count(), 12);
  });

  test('read only, nothing can be changed', async (t) => {
    const character = starterTemplates().get('character') ?? assert.fail('no character');
    const page = await open(t, {
      schema: schemaOf(character),
      values: {
        want: 'a bell',
        home: 'bell_house',
        skills: ['rope'],
        secrets: ['one'],
        courage: 4,
        is_playable: true,
      },
      props: { readOnly: true },
    });
    await page.getByRole('textbox', { name: 'Want' }).waitFor();
    for (const box of await page.getByRole('textbox').all()) assert.equal(await box.isEditable(), false);
    assert.equal(await page.getByRole('button', { name: /Remove|Actions/ }).count(), 0);
    await noAxeFaults(page);
  });
});

const NASTY = [
  null,
  '',
  '   ',
  0,
  -1.5,
  true,
  [],
  {},
  [null, 1, 'a', { b: [2] }],
  { a: { b: null } },
  '<img src=x onerror=alert(1)>',
  'x'.repeat(10_000),
  '\u202eleft \u200bzero',
  'javascript:alert(1)',
  'line\r\nline',
  Array.from({ length: 5000 }, (_, index) => `entry ${index}`),
];

const WIDGETS = [
  ['text', 'string'],
  ['textarea', 'string'],
  ['number', 'number'],
  ['range', 'number'],
  ['year', 'number'],
  ['date', 'string'],
  ['toggle', 'boolean'],
  ['select', 'string'],
  ['radio-group', 'string'],
  ['tags', 'array'],
  ['list', 'array'],
  ['textarea-array', 'array'],
  ['object-array', 'array'],
  ['object', 'object'],
  ['color', 'string'],
  ['color-palette', 'array'],
  ['color-group', 'object'],
  ['percentage-group', 'object'],
  ['image', 'string'],
  ['url', 'string'],
  ['entity-selector', 'array'],
  ['read-only-text', 'string'],
  ['hologram', 'string'],
  ['plugin:dice:roller', 'number'],
] as const;

test('no value of any shape breaks a widget, and a visit to every field changes nothing', async (t) => {
  const properties = Object.fromEntries(
    WIDGETS.map(([widget, type]) => [
      widget,
      { type, title: widget, 'x-widget': widget, 'x-options': ['red'] },
    ]),
  );
  const schema = schemaWith(properties);
  for (const nasty of NASTY) {
    const values = Object.fromEntries(WIDGETS.map(([widget]) => [widget, nasty]));
    const page = await open(t, { schema, values });
    const folded = page.getByRole('button', { name: /more fields?$/ });
    if (isEmptyValue(nasty)) await folded.first().click();
    await page.locator('[data-path="plugin:dice:roller"]').waitFor();
    const focusable = page.locator('input:visible, textarea:visible, button:visible');
    await focusable.evaluateAll((all) => {
      for (const element of all.slice(0, 200)) {
        (element as HTMLElement).focus();
        (element as HTMLElement).blur();
      }
    });
    assert.deepEqual(await fields(page), values);
    assert.equal((await asked(page)).filter(([what]) => what === 'change').length, 0);
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(isTooWide, false, JSON.stringify(nasty)?.slice(0, 80));
  }
});

test('of many fields the first are there at once and the others on idle', async (t) => {
  const properties = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`f${index}`, { type: 'string', title: `F${index}` }]),
  );
  const values = Object.fromEntries(Object.keys(properties).map((name) => [name, 'full']));
  const page = await open(t, { schema: schemaWith(properties), values });
  const counts = await page.evaluate(async () => {
    const seen: number[] = [];
    const count = () => document.querySelectorAll('input').length;
    while (count() < 200) {
      seen.push(count());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return seen;
  });
  assert.ok(counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0)));
  assert.equal(await page.getByRole('textbox').count(), 200);
});

const mira = {
  aliases: ['Mim'],
  summary: 'A tide reader’s daughter.',
  birth_year: 392,
  home: 'bell_house',
  job: 'gone',
  arc: { beginning: 'at sea' },
  secrets: ['She cannot swim'],
  palette: ['#3F6E8C'],
  relationships: ['orla_fenn', { target: 'oda_pell', type: 'rival' }],
  courage: 7,
  is_playable: true,
  old_habit: 'Hums',
  production_status: { general: 'needs_work' },
};

for (const [name, options, direction] of [
  ['light', { colorScheme: 'light' }, undefined],
  ['dark', { colorScheme: 'dark' }, undefined],
  ['right to left', {}, 'rtl'],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, undefined],
] as const)
  test(`a character has no faults of accessibility and fits, ${name}`, async (t) => {
    const character = starterTemplates().get('character') ?? assert.fail('no character');
    const given = { schema: schemaOf(character), values: mira, ...(direction && { direction }) };
    const page = await open(t, given, options);
    await page.getByRole('heading', { name: 'Kept from before' }).waitFor();
    await noAxeFaults(page);
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(isTooWide, false);
  });
