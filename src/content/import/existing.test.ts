import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftNotes } from '../../../test/support/draft-notes.ts';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import { DocumentError } from '../frontmatter/index.ts';
import {
  type AskedIdentity,
  addToTotals,
  type ExistingMode,
  type ImportedText,
  intoExisting,
  intoFileOf,
  type LossReport,
  newFileOf,
  noTotals,
  refuseKeys,
  reportOfStanding,
  standingText,
} from './index.ts';

const TODAY = '2026-01-02';
const template = starterTemplates().get('character');
assert.ok(template);

function standing(text: string, asked: AskedIdentity = {}) {
  const read = standingText(text, asked);
  assert.ok(read, text);
  return read;
}

const file = (yaml: string, body = '') => `---\n${yaml}---\n${body}`;
const MIRA = 'id: mira\nentity_type: character\nname: Mira\nlast_updated: 2020-01-01\nage: 3\ntags: [a]\n';
const HEAD = `template_version: "2.0"\nid: mira\nentity_type: character\ncreated_date: ${TODAY}\nlast_updated: ${TODAY}\n`;

describe('whom a text that is taken as it stands means', () => {
  const cases: [text: string, asked: AskedIdentity, id: string, name: string, hasFrontmatter: boolean][] = [
    [file('id: mira\nname: Miranda\n'), {}, 'mira', 'Miranda', true],
    [file('id: Not An Id\ntitle: Mira Vale\n'), {}, 'mira_vale', 'Mira Vale', true],
    [file('age: 3\n', '# Mira Vale\n'), {}, 'mira_vale', 'Mira Vale', true],
    [file('id: mira\n', '# Head\n'), { entityId: 'other', name: 'New' }, 'other', 'New', true],
    [file('id: mira\n', '# Head\n'), {}, 'mira', 'Mira', true],
    ['\uFEFF# Mira Vale #\r\nText\r\n', {}, 'mira_vale', 'Mira Vale', false],
    ['Text', { entityId: 'mira_v' }, 'mira_v', 'Mira V', false],
    ['# Head', { entityId: 'mira_v' }, 'mira_v', 'Head', false],
    ['Text', { name: 'Ann B' }, 'ann_b', 'Ann B', false],
  ];
  for (const [text, asked, id, name, hasFrontmatter] of cases)
    it(JSON.stringify([text, asked]), () => {
      const read = standing(text, asked);
      assert.deepEqual([read.entity_id, read.name], [id, name]);
      assert.equal(read.text, hasFrontmatter ? text : null);
    });

  it('says nobody, or cannot be read', () => {
    for (const text of ['Text', '# !!!\n', file('id: 5\n')]) assert.equal(standingText(text, {}), undefined);
    assert.throws(() => standingText('---\na: [\n---\n', {}), DocumentError);
  });

  it('comes with what it says: its type, its values and its text', () => {
    const { said_type, data, body } = standing(file('id: mira\nentity_type: character\n', '\nText\n'));
    assert.deepEqual(
      [said_type, data, body],
      ['character', { id: 'mira', entity_type: 'character' }, 'Text\n'],
    );
    assert.deepEqual([standing('\uFEFF# Ann\n').body, standing('# Ann').said_type], ['# Ann\n', null]);
    assert.deepEqual(reportOfStanding(standing(file('id: mira\nage: 3\n'))), {
      kept: ['id', 'age'],
      mapped: [],
      kept_aside: [],
      refused: [],
      links: { resolved: 0, unresolved: [] },
      attachments: [],
    });
  });
});

describe('a new file of a text that is taken as it stands', () => {
  const made = (text: string, asked: AskedIdentity = {}) =>
    newFileOf(template, standing(text, asked), asked, TODAY);

  it('is the text, but for the id and the name that the caller asks for', () => {
    const text = file('id: mira\nname: Mira # n\n', 'X');
    assert.equal(made(text), text);
    assert.equal(made(text, { entityId: 'mira', name: 'Mira' }), text);
    assert.equal(made(text, { entityId: 'b', name: 'B' }), file('id: b\nname: B # n\n', 'X'));
    assert.equal(
      made(file('id: Not An Id\ntitle: T\n'), { entityId: 'b', name: 'B' }),
      file('id: Not An Id\ntitle: B\n'),
    );
    assert.equal(made(file('age: 1\n'), { entityId: 'b', name: 'B' }), file('age: 1\nname: B\n'));
    assert.equal(made(file('age: 1\n'), { entityId: 'b' }), file('age: 1\n'));
  });

  it('without frontmatter gets what a file must have, and no defaults', () => {
    const text = file(`${HEAD}status: draft\nname: Mira\n`, '\n# Mira\nX\n');
    assert.equal(made('# Mira\nX\n'), text);
    assert.equal(made('# Mira\r\nX\r\n'), text.replaceAll('\n', '\r\n'));
  });
});

describe('a text that stands, in an existing file', () => {
  const into = (
    mode: ExistingMode,
    existing: string,
    text: string,
    asked: AskedIdentity = {},
  ): ImportedText =>
    intoFileOf(template, existing, standing(text, { entityId: 'mira', ...asked }), {
      mode,
      asked,
      today: TODAY,
    });
  const reason = 'the entity says otherwise, and keeps what it says';

  it('fills what is empty, joins lists, appends its text, and is refused the rest by name', () => {
    const existing = file(`${MIRA}none: null\nm: {}\ns: ""\nl: []\n`, '\nOld\n');
    const text = file(
      'id: other\nentity_type: x\nname: Ann\nage: 4\ntags: [a, b]\nnone: 5\nm: {k: 1}\ns: t\nl: [1]\nnew: []\ne: ""\nown: 1\n',
      'More\n',
    );
    assert.deepEqual(into('merge', existing, text), {
      text: file(
        `${MIRA.replace('2020-01-01', TODAY).replace('[a]', '[a, b]')}none: 5\nm:\n  k: 1\ns: "t"\nl:\n  - 1\nown: 1\n`,
        '\nOld\n\nMore\n',
      ),
      refused: [
        { place: 'name', reason, value: 'Ann' },
        { place: 'age', reason, value: 4 },
      ],
    });
  });

  it('changes nothing where it says nothing new', () => {
    const existing = file(MIRA, '\nOld\n');
    for (const text of ['Old', ' Old \n', '', file('age: 3\ntags: [a]\nempty: {}\nnone: null\n', 'Old')])
      assert.deepEqual(into('merge', existing, text), { text: existing, refused: [] });
    assert.deepEqual(into('merge', existing, 'Old', { name: 'Zed' }).refused, [
      { place: 'name', reason, value: 'Zed' },
    ]);
    assert.deepEqual(into('merge', file('title: Mira\n'), file('title: Mira\n'), { name: 'Zed' }).refused, [
      { place: 'title', reason, value: 'Zed' },
    ]);
  });

  it('dates only a file that has a date', () => {
    assert.equal(into('merge', file(MIRA), 'New').text, file(MIRA.replace('2020-01-01', TODAY), 'New'));
    assert.equal(
      into('merge', file('age: 3\n', '\nOld \n\n'), '\nNew').text,
      file('age: 3\n', '\nOld\n\nNew'),
    );
  });

  it('joins a file without frontmatter too', () => {
    assert.equal(into('merge', 'Old\n', 'New\n').text, 'Old\n\nNew\n');
  });

  it('takes its place', () => {
    const existing = file(MIRA, '\nOld\n');
    const text = file('id: mira\nage: 9\n', 'New');
    assert.deepEqual(into('replace', existing, text), { text, refused: [] });
    const replaced = (name: string) => ({
      text: file(
        `id: mira\nentity_type: character\nname: ${name}\nlast_updated: ${TODAY}\ntemplate_version: "2.0"\ncreated_date: ${TODAY}\nstatus: draft\n`,
        '\n# New\n',
      ),
      refused: [],
    });
    assert.deepEqual(into('replace', existing, '# New\n'), replaced('New'));
    assert.deepEqual(into('replace', existing, '# New\n', { name: 'Zed' }), replaced('Zed'));
  });
});

describe('a note in an existing file', () => {
  function into(mode: ExistingMode, existing: string, text: string): ImportedText {
    const [note] = draftNotes({ 'People/Mira.md': text }).notes;
    assert.ok(note);
    const { identified, draft } = note;
    return intoExisting(identified.template, existing, draft, identified.note, { mode, today: TODAY });
  }

  it('adds what it says, and leaves what is said', () => {
    const note = file('status: active\nage: 7\nspecies: elf\n', 'More');
    const { text, refused } = into('merge', file(MIRA, '\nOld\n'), note);
    assert.equal(
      text,
      file(`${MIRA.replace('2020-01-01', TODAY)}status: active\nspecies: elf\n`, '\nOld\n\nMore'),
    );
    assert.deepEqual(
      refused.map(({ place, value }) => [place, value]),
      [['age', 7]],
    );
    const titled = into('merge', file(MIRA.replace('name:', 'title:')), file('name: Ann\n'));
    assert.deepEqual(
      titled.refused.map(({ place }) => place),
      ['title'],
    );
  });

  it('replaces all but what identifies the entity, unless it says that itself', () => {
    const own = 'status: archived\ncreated_date: 2019-01-01\ntemplate_version: "1.0"\n';
    const existing = file(MIRA.replace('age: 3\n', own), '\nOld\n');
    const dated = `id: mira\nentity_type: character\nname: Mira\nlast_updated: ${TODAY}\n`;
    assert.deepEqual(into('replace', existing, file('species: elf\n', 'New')), {
      text: file(`${dated}${own}species: elf\n`, '\nNew'),
      refused: [],
    });
    assert.equal(
      into('replace', existing, file('status: active\ncreated_date: 2000-01-01\n', 'New')).text,
      file(`${dated}status: active\ncreated_date: 2000-01-01\ntemplate_version: "1.0"\n`, '\nNew'),
    );
  });
});

describe('the report of an import', () => {
  const report: LossReport = {
    kept: ['id', 'b'],
    mapped: [{ from: 'x', to: 'y', confidence: 1, reason: '' }],
    kept_aside: [{ from: 'q', to: 'imported_q', reason: '' }],
    refused: [
      { place: 'z', reason: '', property: 'z' },
      { place: 'c', reason: '' },
    ],
    links: { resolved: 2, unresolved: [{ line: 1, text: '', reason: '' }] },
    attachments: [{ from: 'a', to: 'b' }],
  };

  it('is counted, but for notes that were not taken', () => {
    const totals = noTotals();
    for (const action of ['create', 'skip', 'refuse', 'merge', 'replace'] as const)
      addToTotals(totals, action, 5, report);
    assert.deepEqual(totals, {
      notes: { total: 5, create: 1, merge: 1, replace: 1, skip: 1, refuse: 1 },
      properties: { total: 15, kept: 6, mapped: 3, kept_aside: 3, refused: 3 },
      links: { resolved: 6, unresolved: 3 },
      attachments: 3,
      refused: 10,
    });
  });

  it('names what the entity could not take by its property', () => {
    const refused = ['y', 'imported_q', 'b', 'zzz'].map((place) => ({ place, reason: place }));
    assert.deepEqual(refuseKeys(report, refused), {
      ...report,
      kept: ['id'],
      mapped: [],
      kept_aside: [],
      refused: [
        ...report.refused,
        { place: 'y', reason: 'y', property: 'x' },
        { place: 'imported_q', reason: 'imported_q', property: 'q' },
        { place: 'b', reason: 'b', property: 'b' },
        { place: 'zzz', reason: 'zzz' },
      ],
    });
  });
});
