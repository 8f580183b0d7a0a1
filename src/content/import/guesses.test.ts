import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftNotes } from '../../../test/support/draft-notes.ts';

type Given = Record<string, unknown>;

function rowOf(properties: Given, options: Parameters<typeof draftNotes>[1] = {}) {
  const text = JSON.stringify([{ name: 'A', ...properties }]);
  const { notes, refused } = draftNotes({ 'characters.json': text }, options);
  assert.deepEqual(refused, []);
  const [note] = notes;
  assert.ok(note);
  return note.draft;
}

describe('the type of a note', () => {
  const cases: [path: string, text: string, type: string, confidence: number, reason: string][] = [
    ['X.md', '---\nentity_type: character\n---\n', 'character', 1, 'entity_type: character'],
    ['X.md', '---\nType: NPC\n---\n', 'character', 0.95, 'Type: NPC'],
    ['X.md', '---\nkind: [Cities, x]\n---\n', 'location', 0.95, 'kind: Cities'],
    ['X.md', '---\ntype: 5\nclass: hero\n---\n', 'character', 0.95, 'class: hero'],
    ['X.md', '---\nnote_type: dragon\ncategory: quests\n---\n', 'quest', 0.95, 'category: quests'],
    ['X.md', '---\nnote_type: Districts\n---\n', 'district', 0.95, 'note_type: Districts'],
    ['Characters/X.md', '#quest', 'character', 0.9, 'it lies in Characters'],
    ['Character/a/b/c/d/X.md', '', 'character', 0.9, 'it lies in Character'],
    ['Villains/X.md', '', 'character', 0.9, 'it lies in Villains'],
    ['Villains/a/X.md', '', 'character', 0.8, 'it lies in Villains'],
    ['X.md', 'Text #character', 'character', 0.8, 'the tag #character'],
    ['X.md', '---\ntags: "#type/hero, b"\n---\n', 'character', 0.8, 'the tag #type/hero'],
    ['X.md', '---\ntags: [a, cast/x]\n---\n', 'character', 0.8, 'the tag #cast/x'],
    ['X.md', '---\ntag: quest\n---\n', 'quest', 0.8, 'the tag #quest'],
  ];
  for (const [path, text, type, confidence, reason] of cases)
    it(`${path} ${JSON.stringify(text)}`, () => {
      const found = draftNotes({ [path]: text }).notes[0]?.identified.type;
      assert.deepEqual([found?.entity_type, found?.reason], [type, reason]);
      assert.ok(Math.abs((found?.confidence ?? 0) - confidence) < 1e-9);
    });

  it('is only proposed where it lies far away or its properties fit best', () => {
    const proposed = (path: string, text: string) => draftNotes({ [path]: text }).refused[0]?.proposed;
    assert.deepEqual(proposed('Villains/a/b/c/d/X.md', ''), {
      to: 'character',
      confidence: 0.6,
      reason: 'it lies in Villains',
    });
    const fit = { to: 'character', reason: 'its properties fit the fields of character best' };
    const own = '---\nbirth_year: 1\nspecies: elf\nx: 1\n---\n';
    assert.deepEqual(proposed('X.md', own), { ...fit, confidence: 0.3 + 0.3 * (2 / 3) });
    const likened = '---\nspecies: elf\nrace: e\nbirth_year: 1\nborn: 5\n---\n';
    assert.deepEqual(proposed('X.md', likened), { ...fit, confidence: 0.3 + 0.3 * (3 / 4) });
    assert.equal(proposed('X.md', '---\nbirth_year: 1\n---\n'), undefined);
  });
});

describe('a type that the caller chose', () => {
  const files = {
    'People/Mira.md': '',
    'People/Dead/Old Tam.md': '---\ntype: character\n---\n',
    'Peoples.md': '',
    'people.csv': 'name\nAda\nBo\n',
  };
  const typed = (types: Record<string, string | null>, entityType?: string) => {
    const { notes, untyped } = draftNotes(files, { types, ...(entityType && { entityType }) });
    return Object.fromEntries([
      ...notes.map(({ identified: { note, type } }) => [note.place, type.entity_type]),
      ...untyped.map(({ place, code }) => [place, code]),
    ]);
  };
  const told = {
    'People/Mira.md': 'character',
    'People/Dead/Old Tam.md': 'character',
    'Peoples.md': 'no_type',
    'people.csv:2': 'character',
    'people.csv:3': 'character',
  };

  it('counts for the note, the file or the folder that it names, the nearest first', () => {
    assert.deepEqual(typed({}), told);
    assert.deepEqual(
      typed({ People: 'item', 'People/Dead/': 'faction', 'people.csv': 'quest', 'people.csv:3': null }),
      {
        'People/Mira.md': 'item',
        'People/Dead/Old Tam.md': 'faction',
        'Peoples.md': 'no_type',
        'people.csv:2': 'quest',
        'people.csv:3': 'left_out',
      },
    );
    assert.deepEqual(typed({ 'People/Dead/Old Tam.md': 'item' }), {
      ...told,
      'People/Dead/Old Tam.md': 'item',
    });
  });

  it('counts before a type for everything', () => {
    const every = Object.fromEntries(Object.keys(told).map((place) => [place, 'faction']));
    assert.deepEqual(typed({ 'people.csv:2': 'item' }, 'faction'), { ...every, 'people.csv:2': 'item' });
  });
});

describe('a value that becomes a field', () => {
  const cases: [given: Given, field: unknown, how: string][] = [
    ...[
      ['yes', true],
      ['On', true],
      ['TRUE ', true],
      ['no', false],
      ['off', false],
      ['false', false],
    ].map(([word, meant]): [Given, unknown, string] => [
      { is_playable: word },
      meant,
      `the same name, ${String(word).trim()} is ${meant}`,
    ]),
    [{ is_playable: true }, true, ''],
    [{ birth_year: ' 12 ' }, 12, 'the same name, as a number'],
    [{ birth_year: ['7'] }, 7, 'the same name, as a number'],
    [{ height_cm: '180' }, 180, 'the same name, as a number'],
    ...['a, b', 'a,b', 'a; b', 'a;b', 'a | b', 'a|b', 'a\nb'].map((text): [Given, unknown, string] => [
      { aliases: text },
      ['a', 'b'],
      'the same name, as a list',
    ]),
    [{ aliases: 'a; b, c' }, ['a', 'b, c'], 'the same name, as a list'],
    [{ aliases: 'a,,b' }, ['a,,b'], 'the same name, as a list'],
    [{ aliases: 5 }, ['5'], 'the same name, as a list'],
    [{ aliases: null }, null, ''],
    [{ aliases: ['a', 5, true] }, ['a', '5', 'true'], 'the same name'],
    [{ tags: '#a b' }, ['a', 'b'], 'the same name, as a list'],
    [{ tags: ['#a', 5] }, ['a', '5'], 'the same name'],
    [{ skills: 'a b' }, ['a b'], 'the same name, as a list'],
    [{ pronouns: 'She/Her' }, 'she/her', 'the same name, the option she/her'],
    [{ pronouns: 'she/her' }, 'she/her', ''],
    [{ story_role: 'a stranger' }, 'a stranger', ''],
    [{ summary: 5 }, '5', 'the same name, as text'],
    [{ summary: ['t'] }, 't', 'the same name'],
    [{ arc: { a: 1 } }, { a: 1 }, ''],
    [{ palette: ['x', 1] }, ['x', 1], ''],
  ];
  for (const [given, value, how] of cases)
    it(JSON.stringify(given), () => {
      const { fields, report } = rowOf(given);
      const [name = ''] = Object.keys(given);
      assert.deepEqual(fields, { [name]: value });
      assert.deepEqual(
        report.mapped.map(({ from, to, reason }) => [from, to, reason]),
        how === '' ? [] : [[name, name, how]],
      );
    });

  it('of a date keeps the day aside, and only in a field for years', () => {
    for (const [date, year] of [
      ['1187-03-04', 1187],
      ['-44-3-1', -44],
      ['1187-03', 1187],
      ['1187-03-04T10:00Z', 1187],
    ] as const) {
      const { fields, report } = rowOf({ birth_year: date });
      assert.deepEqual(fields, { birth_year: year, imported_birth_year: date });
      assert.equal(report.mapped[0]?.original_kept_as, 'imported_birth_year');
      assert.equal(report.mapped[0]?.reason, 'the same name, the year of the date');
    }
    assert.deepEqual(rowOf({ height_cm: '1187-03-04' }).fields, { imported_height_cm: '1187-03-04' });
  });

  it('stays aside where the field cannot hold it, with the reason', () => {
    const cases: [given: Given, reason: string][] = [
      [{ is_playable: 'maybe' }, 'the field takes true or false'],
      [{ is_playable: 1 }, 'the field takes true or false'],
      [{ birth_year: '12x' }, 'birth_year takes a number, and "12x" is none'],
      [{ birth_year: '' }, 'birth_year takes a number, and "" is none'],
      [{ birth_year: '1e3' }, 'birth_year takes a number, and "1e3" is none'],
      [{ birth_year: true }, 'birth_year must be a number, is true'],
      [{ summary: ['t', 'u'] }, 'summary takes text'],
      [{ arc: 'x' }, 'arc must be a mapping, is "x"'],
    ];
    for (const [given, reason] of cases) {
      const { fields, report } = rowOf(given);
      const [[name, value] = ['', null]] = Object.entries(given);
      assert.deepEqual(fields, { [`imported_${name}`]: value });
      assert.deepEqual(report.kept_aside, [{ from: name, to: `imported_${name}`, reason }]);
    }
  });
});

describe('a value that names an entity', () => {
  const existing: [string, string, string][] = [
    ['location', 'harbour', 'Harbour Town'],
    ['location', 'h2', 'Twin'],
    ['location', 'h3', 'Twin'],
    ['job', 'tide_reader', 'Tide reader'],
    ['character', 'bo', 'Bo'],
  ];
  const home = (value: string) => rowOf({ home: value }, { existing });

  it('becomes its id, and keeps what a link says beside it', () => {
    for (const text of ['harbour  Town', '[[Harbour Town]]', 'location:harbour', '[[location:harbour]]'])
      assert.deepEqual(home(text).fields, { home: 'harbour' }, text);
    for (const text of ['[[Harbour Town|the port]]', '[[Harbour Town#Quay]]'])
      assert.deepEqual(home(text).fields, { home: 'harbour', imported_home: text });
    assert.deepEqual(home('[[Harbour Town|Harbour Town]]').fields, { home: 'harbour' });
    assert.equal(home('Harbour Town').report.links.resolved, 1);
    assert.deepEqual(rowOf({ parents: 'Bo' }, { existing }).fields, { parents: ['bo'] });
  });

  it('stays as it is where it names none of the type, or several', () => {
    for (const text of ['Twin', 'Nowhere', 'character:bo', 'Bo']) {
      const { fields, report } = home(text);
      assert.deepEqual([fields, report.links.resolved], [{ home: text }, 0]);
      assert.deepEqual(
        report.links.unresolved.map((each) => [each.line, each.text]),
        [[null, text]],
      );
    }
    assert.notEqual(
      home('Twin').report.links.unresolved[0]?.reason,
      home('Bo').report.links.unresolved[0]?.reason,
    );
    assert.deepEqual(home('').report.links.unresolved, []);
    const { fields, report } = rowOf({ parents: ['[[Bo]]', 'Zed', 5] }, { existing });
    assert.deepEqual([fields.parents, report.links.resolved], [['bo', 'Zed', '5'], 1]);
  });

  it('may tell the field, if that is the only one for the type', () => {
    const proposed = (given: Given) => rowOf(given, { existing }).report.kept_aside[0]?.proposed?.to;
    assert.equal(proposed({ calling: 'Tide reader' }), 'job');
    assert.equal(proposed({ calling: ['Tide reader', 'Tide reader'] }), undefined);
    assert.equal(proposed({ calling: 'Harbour Town' }), undefined);
    assert.equal(proposed({ calling: 5 }), undefined);
    assert.equal(proposed({ calling: [] }), undefined);
  });
});

describe('a property that is a field by another name', () => {
  const cases: [given: Given, to: string, confidence: number, reason: string][] = [
    [{ 'Eye colour': 'grey' }, 'eye_color', 0.95, 'the same name, written otherwise'],
    [{ eyeColor: 'grey' }, 'eye_color', 0.95, 'the same name, written otherwise'],
    [{ 'colour eye': 'grey' }, 'eye_color', 0.9, 'the same words'],
    [{ ancestry: 'elf' }, 'species', 0.8, 'another word for it'],
    [{ bio: 'Long ago' }, 'markdown_body', 0.8, 'the text of the entity'],
    [{ Status: 'Draft ' }, 'status', 0.9, 'a known status'],
    [{ status: ' active' }, 'status', 0.9, 'a known status'],
    [{ entity_id: 'mira' }, 'id', 1, 'the id'],
  ];
  for (const [given, to, confidence, reason] of cases)
    it(JSON.stringify(given), () => {
      const [from = ''] = Object.keys(given);
      assert.deepEqual(rowOf(given).report.mapped, [{ from, to, confidence, reason }]);
    });

  it('is proposed where only words are shared', () => {
    assert.deepEqual(rowOf({ eye: 'red' }).report.kept_aside[0]?.proposed, {
      to: 'eye_color',
      confidence: 0.6,
      reason: 'shared words and the same type',
    });
    assert.equal(rowOf({ eye: 5 }).report.kept_aside[0]?.proposed, undefined);
  });

  it('or an attribute of the entity is taken as such', () => {
    const kept = ['template_version', 'created_date', 'last_updated', 'production_status'];
    const more = ['associated_skills', 'field_config'];
    const given = Object.fromEntries([...kept, ...more].map((key) => [key, key]));
    const { metadata, report } = rowOf(given);
    assert.deepEqual(metadata, given);
    assert.deepEqual(report.kept.toSorted(), ['name', ...kept, ...more].toSorted());
    assert.equal(rowOf({ status: 'archived' }).status, 'archived');
    assert.deepEqual(rowOf({ status: 'alive' }).fields, { imported_status: 'alive' });
    assert.equal(rowOf({ markdown_body: 'M' }).markdown_body, 'M');
    assert.deepEqual(rowOf({ content: 5 }).fields, { content: 5 });
    assert.deepEqual(rowOf({ id: 'mira' }).report.kept, ['name', 'id']);
    for (const id of [5, 'Mira Vale']) assert.deepEqual(rowOf({ id }).fields, { imported_id: id });
    assert.deepEqual(rowOf({ primary_asset: 'x.png', portrait: 'y.png' }).fields, { portrait: 'y.png' });
    assert.deepEqual(rowOf({ primary_image: '[[z.png]]' }).metadata, { primary_image: '[[z.png]]' });
  });

  it('without a name, or with a name that is taken, is kept under another one', () => {
    assert.deepEqual(rowOf({ ' ': 1 }).fields, { imported: 1 });
    const same = rowOf({ x: 5, y: 6, z: 7 }, { mapping: { x: 'same', y: 'same', z: 'same' } });
    assert.deepEqual(same.fields, { same: 5, imported_same: 6, imported_same_2: 7 });
  });

  it('goes where the caller says', () => {
    const asked = (value: unknown, to: string) => rowOf({ x: value }, { mapping: { x: to } });
    assert.deepEqual(
      [asked('Active', 'status').status, asked(1, 'status').fields],
      ['active', { imported_status: 1 }],
    );
    assert.equal(asked('T', 'markdown_body').markdown_body, 'T');
    assert.deepEqual(asked('T', 'status').report.kept_aside, [
      { from: 'x', to: 'imported_status', reason: 'asked for' },
    ]);
    assert.deepEqual(asked('Active', 'status').report.mapped, [
      { from: 'x', to: 'status', confidence: 1, reason: 'asked for' },
    ]);
  });
});

describe('a file that comes along', () => {
  const placed = (path: string, property: string, more: Record<string, string> = {}) => {
    const text = `---\n${property}\n---\n`;
    const [note] = draftNotes({ 'Characters/A.md': text, [path]: '', ...more }).notes;
    return note?.draft;
  };

  it('lies in the folder for its kind, under a name that every system can hold', () => {
    for (const [path, place] of [
      ['a/pic.png', 'images/pic.png'],
      ['a/song.mp3', 'audio/song.mp3'],
      ['a/film.mp4', 'data/film.mp4'],
      ['a/list.pdf', 'data/list.pdf'],
      ['a/who?*.png', 'images/who__.png'],
    ] as const)
      assert.equal(placed(path, `portrait: "${path.slice(2)}"`)?.metadata.primary_asset, place);
  });

  it('is meant by one name alone, and keeps apart from others', () => {
    const draft = placed('a/pic.png', 'portrait: "[[a/pic.png]]"\nimage: "[[b/Pic.png]]"', {
      'b/Pic.png': '',
    });
    assert.equal(draft?.metadata.primary_asset, 'images/pic.png');
    assert.equal(
      placed('a/pic.png', 'portrait: pic.png', { 'b/pic.png': '' })?.metadata.primary_asset,
      undefined,
    );
    assert.equal(placed('a/pic.png', 'primary_image: pic.png')?.metadata.primary_image, 'images/pic.png');
    const text = '![](a/pic.png) ![](b/PIC.png) ![](a/pic.png)';
    const [note] = draftNotes({
      'Characters/A.md': text,
      'Characters/a/pic.png': '',
      'Characters/b/PIC.png': '',
    }).notes;
    assert.deepEqual(
      note?.draft.attachments.map(({ to }) => to),
      ['images/pic.png', 'images/PIC_2.png'],
    );
  });
});

describe('names of fields and types that other tools use', () => {
  /** One of each group, with the field that it must find. */
  it('find the field', () => {
    for (const [property, field, value] of [
      ['also known as', 'aliases', ['x']],
      ['dob', 'birth_year', 5],
      ['died', 'death_year', 5],
      ['hometown', 'birthplace', 'x'],
      ['residence', 'home', 'x'],
      ['occupation', 'job', 'x'],
      ['allegiance', 'faction', 'x'],
      ['race', 'species', 'x'],
      ['role', 'story_role', 'x'],
      ['logline', 'summary', 'x'],
      ['motivation', 'want', 'x'],
      ['looks', 'appearance', 'x'],
      ['eyes', 'eye_color', 'x'],
      ['height', 'height_cm', 5],
      ['scars', 'distinguishing_features', ['x']],
      ['talents', 'skills', ['x']],
      ['labels', 'tags', ['x']],
    ] as const) {
      assert.deepEqual(rowOf({ [property]: value }).fields, { [field]: value }, property);
    }
  });

  it('find the type', () => {
    for (const [folder, type] of [
      ['NPCs', 'character'],
      ['Towns', 'location'],
      ['Neighbourhoods', 'district'],
      ['Guilds', 'faction'],
      ['Artefacts', 'item'],
      ['Professions', 'job'],
      ['Companies', 'brand'],
      ['Missions', 'quest'],
      ['Storylines', 'campaign'],
      ['Battles', 'event'],
      ['Conversations', 'dialogue'],
      ['Chronologies', 'timeline'],
      ['Chapters', 'assembly'],
      ['Worlds', 'universe'],
      ['Ecosystems', 'biome'],
    ] as const)
      assert.equal(draftNotes({ [`${folder}/X.md`]: '' }).notes[0]?.draft.entity_type, type, folder);
  });
});
