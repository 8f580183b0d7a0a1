import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { type DraftedNote, draftNotes } from '../../../test/support/draft-notes.ts';
import { formatOfText, readSource } from './index.ts';

const only = (files: Record<string, string>, options?: Parameters<typeof draftNotes>[1]): DraftedNote => {
  const { notes, refused } = draftNotes(files, options);
  assert.deepEqual(refused, []);
  const [note] = notes;
  assert.ok(note);
  return note;
};

const MIRA = `---
type: Character
aliases: [The Reader, Mimi]
born: 1187-03-04
Eye colour: grey
home: "[[Harbour Town]]"
mood swings: frequent
status: alive
tags: [main, cast/hero]
portrait: "[[mira.png]]"
---
# Mira

She knows [[Harbour Town#The quay|the quay]] and [[Nobody]]. #brave

![[mira.png]]
`;

const VAULT = {
  'People/Mira Vale.md': MIRA,
  'Places/Harbour Town.md':
    'A town. [[Mira Vale]] lives here, says [her page](../People/Mira%20Vale.md).\n\n`[[Mira Vale]]`\n',
  'files/mira.png': '',
};

describe('a note of a vault', () => {
  test('becomes an entity: fields, references, links, pictures', () => {
    const { draft, text } = only(VAULT);
    assert.deepEqual(
      [draft.entity_type, draft.entity_id, draft.name],
      ['character', 'mira_vale', 'Mira Vale'],
    );
    const { fields } = draft;
    assert.deepEqual(fields.aliases, ['The Reader', 'Mimi']);
    assert.equal(fields.birth_year, 1187);
    assert.equal(fields.born, '1187-03-04', 'the day is kept');
    assert.equal(fields.eye_color, 'grey');
    assert.equal(fields.home, 'harbour_town');
    assert.equal(fields['mood swings'], 'frequent');
    assert.equal(fields.imported_status, 'alive');
    assert.deepEqual(fields.tags, ['main', 'cast/hero', 'brave']);
    assert.equal(draft.metadata.primary_asset, 'images/mira.png');
    assert.deepEqual(draft.attachments, [{ from: 'files/mira.png', to: 'images/mira.png' }]);
    assert.match(
      draft.markdown_body,
      /^She knows \[\[location:harbour_town#The quay\|the quay\]\] and \[\[Nobody\]\]\. #brave$/m,
    );
    assert.match(draft.markdown_body, /^!\[mira\.png\]\(images\/mira\.png\)$/m);
    assert.match(text, /^---\ntemplate_version: "2\.0"\nid: mira_vale\nentity_type: character\n/);
    assert.doesNotMatch(text, /species|courage/, 'no default is made a fact');
  });

  test('says in its report what became of everything', () => {
    const { report } = only(VAULT).draft;
    const mapped = Object.fromEntries(report.mapped.map((each) => [each.from, each]));
    assert.equal(mapped.born?.to, 'birth_year');
    assert.equal(mapped.born?.original_kept_as, 'born');
    assert.equal(mapped['Eye colour']?.to, 'eye_color');
    assert.ok((mapped.born?.confidence ?? 1) < (mapped['Eye colour']?.confidence ?? 0));
    assert.deepEqual(report.kept.sort(), ['aliases', 'tags']);
    assert.deepEqual(
      report.kept_aside.map(({ from, to }) => [from, to]),
      [
        ['type', 'type'],
        ['mood swings', 'mood swings'],
        ['status', 'imported_status'],
      ],
    );
    assert.deepEqual(report.links.unresolved, [
      { line: 14, text: '[[Nobody]]', reason: 'nothing has this name' },
    ]);
  });

  test('without frontmatter keeps its text, links but not code', () => {
    const { notes } = draftNotes(VAULT);
    const town = notes[1]?.draft;
    assert.equal(town?.entity_type, 'location');
    assert.equal(
      town?.markdown_body,
      'A town. [[character:mira_vale|Mira Vale]] lives here, says [[character:mira_vale|her page]].\n\n`[[Mira Vale]]`\n',
    );
  });

  test('that is ours already stays as it is, byte for byte', () => {
    const text =
      '\n---\nid: ada # the first\nentity_type: character\nname:   Ada\nhomeland: far\n---\nText [[mira_vale]] #odd\r\n'.slice(
        1,
      );
    const files = { 'Characters/ada/CH_ada.md': text, ...VAULT };
    assert.equal(only(files).text, text);
  });

  test('that is ours already is not mapped: what it says means what it says there', () => {
    const text = [
      '---\nid: ada\nentity_type: character\nname: Ada\nnickname: The First\ndescription: Tall\nborn: "1187"',
      'status: alive\ntemplate_category: odd\nportrait: images/ada.png\nnotes: Of her\n---\n',
    ].join('\n');
    const { text: made, draft } = only({ 'Characters/ada/CH_ada.md': text, 'images/ada.png': '' });
    assert.equal(made, text);
    assert.deepEqual([draft.report.mapped, draft.report.kept_aside], [[], []]);
    const asked = only({ 'Characters/ada/CH_ada.md': text }, { mapping: { nickname: 'aliases' } });
    assert.deepEqual(asked.draft.fields.aliases, ['The First']);
  });

  test('with comments keeps them, or names those it could not', () => {
    const text = '---\n# who she is\nspecies: elf # half\nborn: "1187" # roughly\n---\nHi\n';
    const { text: made, refused } = only({ 'People/Ada.md': text });
    assert.match(made, /^# who she is\nspecies: elf # half\n/m);
    assert.deepEqual(
      refused.map(({ place, value }) => [place, value]),
      [['People/Ada.md:4', '# roughly']],
    );
  });

  test('whose type nothing tells is refused with what it says', () => {
    const { refused } = draftNotes({ 'Stray.md': '---\nfoo: 1\n---\nText' });
    assert.match(refused[0]?.reason ?? '', /nothing says what type this is/);
    assert.deepEqual(refused[0]?.value, { foo: 1, markdown_body: 'Text' });
  });

  test('whose type is only likely is refused with the proposal', () => {
    const text = '---\nbirth_year: 1187\nspecies: elf\neye_color: grey\nhair_color: red\n---\n';
    for (const path of ['Stray.md', 'People/of/long/ago/Stray.md']) {
      const { notes, refused } = draftNotes({ [path]: text });
      assert.deepEqual(notes, [], path);
      assert.equal(refused[0]?.proposed?.to, 'character');
      assert.ok(refused[0].proposed.confidence < 0.8);
      assert.match(refused[0].reason, /may be a character \(\d+ %/);
      assert.equal(draftNotes({ [path]: text }, { entityType: 'character' }).notes.length, 1);
    }
    const deep = only({ 'Characters/of/long/ago/Stray.md': text });
    assert.equal(deep.draft.entity_type, 'character', 'a folder of the type’s own name holds at any depth');
  });

  test('with a frontmatter that is no YAML is refused with its line', () => {
    const { refused } = draftNotes({ 'People/Bad.md': '---\nname: [open\n---\n' });
    assert.match(refused[0]?.place ?? '', /^People\/Bad\.md:\d+:\d+$/);
  });

  test('with very many links, properties and equal names is done soon', async () => {
    const links = '[[Nobody]] '.repeat(100_000);
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`k${key}`, key]));
    const rows = 'Guard\n'.repeat(5_000);
    const took = await cpuTime(() =>
      draftNotes({
        'People/A.md': `${links}\n${'[[Nobody]]\n'.repeat(50_000)}# ${'#'.repeat(100_000)}x`,
        'people.json': JSON.stringify([{ name: 'B', ...properties }]),
        'characters.csv': `name\n${rows}`,
      }),
    );
    assert.ok(took < 15_000, `${took} ms`);
  });

  test('takes a number when its id is taken', () => {
    const { notes } = draftNotes({ 'People/Al.md': 'a', 'People/al .md': 'b', 'People/ÄL.md': 'c [[al ]]' });
    assert.deepEqual(
      notes.map(({ draft }) => draft.entity_id),
      ['al', 'al_2', 'al_3'],
    );
    assert.equal(notes[1]?.identified.wanted_id, 'al');
    assert.match(notes[2]?.draft.report.links.unresolved[0]?.reason ?? '', /several/);
  });
});

describe('a link with a path', () => {
  const resolved = (body: string) => {
    const { notes } = draftNotes(
      {
        'People/North/Ada.md': body,
        'People/Mira.md': 'Mira',
        'Places/Deep/Quay.md': 'Quay',
        'Places/map.png': '',
      },
      { existing: [['character', 'readme', 'Readme']] },
    );
    return notes[0]?.draft;
  };
  const stays = (body: string) => {
    const draft = resolved(body);
    assert.equal(draft?.markdown_body, body);
    assert.equal(draft.report.links.resolved, 0, body);
    assert.deepEqual(
      draft.report.links.unresolved.map(({ text }) => text),
      [body],
    );
    assert.deepEqual(draft.attachments, []);
  };

  for (const link of [
    '[her](../../../Other/Mira.md)',
    '[her](Nowhere/Mira.md)',
    '[her](Mira/../Gone/Mira.md)',
    '[her](./Mira.md)',
    '[her](/Mira.md)',
    '[her](../North/Mira.md)',
    '[it](README.md)',
    '[code](../src/mira.ts)',
    '[[Elsewhere/Mira]]',
    '[[../../../Mira]]',
    '[[Nowhere/README]]',
    '![](../../../map.png)',
    '![](maps/map.png)',
    '![[maps/map.png]]',
    '[[Places/Nowhere/Mira|her]]',
  ])
    test(`${link} leads to nothing, so it stays and is reported`, () => stays(link));

  for (const [link, to] of [
    ['[her](../Mira.md)', '[[character:mira|her]]'],
    ['[her](Mira.md)', '[[character:mira|her]]'],
    ['[her](/People/Mira.md)', '[[character:mira|her]]'],
    ['[her](People/Mira.md)', '[[character:mira|her]]'],
    ['[[People/Mira|her]]', '[[character:mira|her]]'],
    ['[[Deep/Quay|it]]', '[[location:quay|it]]'],
    ['[[Quay|it]]', '[[location:quay|it]]'],
    ['[[Readme|it]]', '[[character:readme|it]]'],
    ['![](../../Places/map.png)', '![](images/map.png)'],
    ['![[Places/map.png]]', '![map.png](images/map.png)'],
    ['![[map.png]]', '![map.png](images/map.png)'],
  ] as const)
    test(`${link} means what lies there`, () => {
      const draft = resolved(link);
      assert.equal(draft?.markdown_body, to);
      assert.deepEqual(draft.report.links, { resolved: 1, unresolved: [] });
    });

  test('in a property is held to the same', () => {
    const { draft } = only({
      'People/Ada.md': '---\nhome: "[[Old/Quay]]"\n---\n',
      'Places/Quay.md': '',
    });
    assert.deepEqual([draft.fields, draft.report.links.resolved], [{ home: '[[Old/Quay]]' }, 0]);
    assert.equal(draft.report.links.unresolved[0]?.text, '[[Old/Quay]]');
  });
});

describe('a table', () => {
  test('is read with its delimiter, quotes, line breaks and lines', () => {
    const text =
      '\uFEFFName;Born;A.K.A.;Nickname;\n"Vale; Mira";1187;Mimi, The Reader;"two\nlines";extra;more\nAda;01;;;\n';
    const notes = draftNotes({ 'characters.csv': text }).notes.map(({ draft }) => draft);
    assert.deepEqual(
      notes.map(({ name, entity_type }) => [name, entity_type]),
      [
        ['Vale; Mira', 'character'],
        ['Ada', 'character'],
      ],
    );
    assert.deepEqual(notes[0]?.fields, {
      birth_year: 1187,
      aliases: ['Mimi', 'The Reader'],
      Nickname: 'two\nlines',
      column_5: 'extra',
      column_6: 'more',
    });
    assert.deepEqual(notes[1]?.fields, { Born: '01' }, 'leading zeros are no number');
  });

  test('of many rows is read in parts, long cells in whole', () => {
    const long = 'x\n'.repeat(60_000);
    const rows = Array.from(
      { length: 3_000 },
      (_, row) => `n${row},"${row === 1_500 ? long : `a ""${row}""\n`}"`,
    );
    const items = [...readSource({ path: 't.csv', text: `name,note\n${rows.join('\n')}` }, 'csv')];
    assert.equal(items.length, 3_000);
    const at = (index: number) => (items[index] && 'note' in items[index] ? items[index].note : undefined);
    assert.equal(at(1_500)?.properties.note, long);
    assert.equal(at(2_999)?.properties.note, 'a "2999"\n');
    assert.equal(at(0)?.place, 't.csv:3');
  });

  test('with a quote that never closes says from which line', () => {
    const items = [...readSource({ path: 't.csv', text: 'name,note\nAda,"oh\nBo,1\n' }, 'csv')];
    const [refused] = items.flatMap((item) => ('refused' in item ? [item.refused] : []));
    assert.equal(refused?.place, 't.csv:1');
    assert.match(String(refused?.value), /Ada/);
  });
});

describe('JSON', () => {
  const read = (text: string) =>
    [...readSource({ path: 'w.json', text }, 'json')].map((item) =>
      'note' in item ? [item.note.groups[0], item.note.properties] : item.refused.place,
    );

  test('is a list, an object under names, types over lists, or one object', () => {
    assert.deepEqual(read('[{"name":"A"},3]'), [['w', { name: 'A' }], 'w.json[1]']);
    assert.deepEqual(read('{"mira":{"age":3}}'), [['w', { name: 'mira', age: 3 }]]);
    assert.deepEqual(read('{"version":1,"people":[{"name":"A"}],"places":{"b":{"name":"B"}}}'), [
      'w.json: version',
      ['people', { name: 'A' }],
      ['places', { name: 'B' }],
    ]);
    assert.deepEqual(read('{"name":"A","stats":{"x":{"y":1}}}'), [
      ['w', { name: 'A', stats: { x: { y: 1 } } }],
    ]);
  });

  test('keeps numbers that no double holds, and refuses reserved keys', () => {
    assert.deepEqual(read('[{"name":"A","n":12345678901234567890,"f":1.50,"e":1e3}]'), [
      ['w', { name: 'A', n: '12345678901234567890', f: 1.5, e: 1000 }],
    ]);
    const [item] = readSource({ path: '', text: '[{"name":"A","__proto__":{"x":1}}]' }, 'json');
    assert.ok(item && 'note' in item);
    assert.equal(item.note.refused[0]?.place, '__proto__');
  });

  test('of our own replies becomes the same entity', () => {
    const entity = {
      entity_type: 'character',
      entity_id: 'mira',
      name: 'Mira',
      status: 'active',
      fields: { birth_year: 1187, home: null, odd: [1] },
      markdown_body: 'Text',
      is_valid: true,
      version: 3,
    };
    const { draft } = only({
      'x.json': JSON.stringify({ total: 1, entities: [entity] }).replace('"total":1,', ''),
    });
    assert.deepEqual([draft.entity_id, draft.status, draft.markdown_body], ['mira', 'active', 'Text']);
    assert.deepEqual(draft.fields, entity.fields);
    assert.deepEqual(
      draft.report.refused.map(({ place }) => place),
      ['is_valid', 'version'],
    );
  });

  test('is told from markdown', () => {
    assert.deepEqual(['[{}]', ' {"a":1}', '# Hi', '[[Mira]] is', '---\na: 1\n---\n'].map(formatOfText), [
      'json',
      'json',
      'markdown',
      'markdown',
      'markdown',
    ]);
  });
});

describe('mapping', () => {
  const row = (properties: object, options = {}) =>
    only({ 'characters.json': JSON.stringify([properties]) }, options).draft;

  test('follows the caller', () => {
    const draft = row(
      { who: 'Mira', born: 1187, role: 'mentor', story: 'Long ago', x: 1 },
      { mapping: { who: 'name', born: null, role: 'job', story: 'markdown_body', x: 'weight class' } },
    );
    assert.equal(draft.name, 'Mira');
    assert.deepEqual(draft.fields, { job: 'mentor', born: 1187, 'weight class': 1 });
    assert.equal(draft.markdown_body, 'Long ago');
  });

  test('proposes what options and values make likely, and leaves the value where it stands', () => {
    const { fields, report } = row(
      { name: 'A', 'part in it': 'protagonist', calling: 'Tide reader', playable: 'yes' },
      { existing: [['job', 'tide_reader', 'Tide reader']] },
    );
    assert.deepEqual(fields, {
      'part in it': 'protagonist',
      calling: 'Tide reader',
      is_playable: true,
    });
    assert.deepEqual(
      report.kept_aside.map(({ from, to, proposed }) => [from, to, proposed?.to]),
      [
        ['part in it', 'part in it', 'story_role'],
        ['calling', 'calling', 'job'],
      ],
    );
    assert.ok(report.kept_aside.every(({ proposed }) => (proposed?.confidence ?? 1) < 0.8));
  });

  test('makes nothing refer to itself, but by the field of that name', () => {
    const { fields, report } = row({ name: 'Ada', parent: ['Ada'], friends: 'Ada' });
    assert.deepEqual([fields.parent, fields.friends, fields.parents], [['Ada'], 'Ada', undefined]);
    assert.match(report.kept_aside[0]?.reason ?? '', /refer to itself/);
    assert.deepEqual(row({ name: 'Ada', parents: ['Ada'] }).fields.parents, ['ada']);
  });

  test('gives a field to the likeliest, and keeps the others', () => {
    const draft = row({ name: 'A', dob: '1187', birth_year: 1188 });
    assert.deepEqual(draft.fields, { birth_year: 1188, dob: '1187' });
    assert.match(draft.report.kept_aside[0]?.reason ?? '', /birth_year comes from birth_year already/);
  });

  test('keeps aside what a field cannot hold', () => {
    const draft = row({ name: 'A', birth_year: 'long ago', arc: 'none' });
    assert.deepEqual(draft.fields, { imported_birth_year: 'long ago', imported_arc: 'none' });
  });
});
