import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeCalls } from '../../../kit/testing/fake-calls.ts';
import { fakeEntity } from '../../../kit/testing/fake-entity.ts';
import { applyChanges } from './apply.ts';
import { ATTRIBUTES, fieldColumns } from './columns.ts';
import { parseCsv, writeCsv } from './csv.ts';
import type { Entity } from './entity.ts';
import { defused, undefused } from './formula.ts';
import { loadEntities } from './load.ts';
import { countCells, fieldsOf, planOf } from './plan.ts';
import { sheetOf } from './sheet.ts';
import { texts } from './texts.ts';

const SCHEMA = {
  properties: {
    motto: { type: 'string', 'x-order': 1 },
    age: { type: 'number', 'x-order': 0 },
    rank: { type: ['integer', 'null'] },
    is_alive: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    side: { enum: ['light', 'dark'], type: 'string' },
    lord: { type: ['string', 'null'] },
    look: { type: 'object', properties: { hair: { type: 'string' } } },
    kin: { type: 'array', items: {}, 'x-relationship-types': ['sibling'] },
    wounds: { type: 'array', items: { type: 'object' } },
    id: { type: 'string' },
    name: { type: 'string' },
  },
};
const COLUMNS = [...ATTRIBUTES, ...fieldColumns(SCHEMA)];

const entity = (entity_id: string, fields: Record<string, unknown> = {}, version = 3): Entity =>
  fakeEntity(entity_id, {
    name: `The ${entity_id}`,
    fields,
    markdown_body: 'never in the sheet',
    version,
  });

const MIRA = entity('mira', {
  motto: 'Say "yes", then;\nrun',
  age: 40,
  rank: null,
  is_alive: true,
  tags: ['a', 'b; c', 'd\\e'],
  side: 'light',
  lord: null,
});
const ODD = entity('=odd', { motto: '=1+1', age: 'about forty', tags: 'one', is_alive: null });
const ALL = [MIRA, ODD];

const plan = (text: string, entities = ALL) => planOf(text, entities, COLUMNS);
const kinds = (text: string) => plan(text).problems.map(({ kind, line }) => `${line} ${kind}`);
const edits = (text: string) => plan(text).changes.map((change) => [change.id, fieldsOf(change)]);

describe('CSV', () => {
  test('what is written is read as it was', () => {
    const rows = [
      ['a', 'b "c"', 'd,e;f'],
      ['two\nlines', ' space ', ''],
    ];
    const text = writeCsv(rows);
    assert.ok(text.startsWith('\ufeffa,'));
    assert.deepEqual(
      parseCsv(text).rows.map(({ cells }) => cells),
      rows,
    );
  });

  test('delimiters and line ends of other programs are read, and lines are counted', () => {
    assert.deepEqual(parseCsv('a;"b,c,"\r\n"x\ny";\r\n\nz;w\n'), {
      delimiter: ';',
      unclosed: null,
      rows: [
        { line: 1, cells: ['a', 'b,c,'] },
        { line: 2, cells: ['x\ny', ''] },
        { line: 5, cells: ['z', 'w'] },
      ],
    });
    assert.equal(parseCsv('"a,b"\tc\n').delimiter, '\t');
  });

  test('a quotation mark that is never closed is told', () => {
    const { rows, unclosed } = parseCsv('a\nb\n"c\nd');
    assert.deepEqual([rows.length, unclosed], [2, 3]);
  });
});

test('formulas become texts, and are as they were on the way back', () => {
  for (const text of ['=1+1', "'=1", '@x', '-x', '+49 30', '\tx', "''-"]) {
    assert.ok(defused(text).startsWith("'"), text);
    assert.equal(undefused(defused(text)), text);
  }
  for (const text of ['-5', '-1,5', "'tis", "it's", 'a=b', '']) {
    assert.equal(defused(text), text);
    assert.equal(undefused(text), text);
  }
});

describe('a sheet', () => {
  test('has what a cell can hold, in the order of the template', () => {
    assert.deepEqual(
      COLUMNS.map(({ title }) => title),
      ['name', 'status', 'age', 'motto', 'rank', 'is_alive', 'tags', 'side', 'lord', 'fields.id'],
    );
  });

  test('that was not edited changes nothing, whatever is in it', () => {
    const text = sheetOf(ALL, COLUMNS);
    assert.deepEqual(plan(text), { changes: [], problems: [], unchanged: 2 });
    const other = parseCsv(text).rows.map(({ cells }) => cells.map((cell) => cell.replaceAll('\n', '\r\n')));
    assert.equal(plan(writeCsv(other)).unchanged, 2);
  });

  test('changes the cells that were edited, and no others', () => {
    assert.deepEqual(
      edits('id,version,name,age,rank,is_alive,tags,motto,lord\nmira,3,Mira,"41,5",2,FALSCH,a; x\\;y ,,old'),
      [
        [
          'mira',
          { name: 'Mira', age: 41.5, rank: 2, is_alive: false, tags: ['a', 'x;y'], motto: '', lord: 'old' },
        ],
      ],
    );
    assert.deepEqual(edits('version;id;age\n3;mira;'), [['mira', { age: null }]]);
    assert.deepEqual(edits("id,version,motto\nmira,3,'=2"), [['mira', { motto: '=2' }]]);
  });

  test('shows what will be saved', () => {
    const { changes } = plan('id,version,age,is_alive,tags\nmira,3,"41,50",FALSCH,"x;y"');
    assert.deepEqual(
      changes[0]?.cells.map(({ after }) => after),
      ['41.5', 'false', 'x; y'],
    );
  });

  test('takes other spellings of the same for the same', () => {
    const text = 'id,version,age,is_alive,tags\nmira,3,40.0,WAHR,"a;b\\; c;  d\\\\e"\n';
    assert.deepEqual(plan(text), { changes: [], problems: [], unchanged: 1 });
  });

  test('may have fewer rows and columns, and rows that end early', () => {
    assert.deepEqual(edits('id,version,age,motto\nmira,3,50\n'), [['mira', { age: 50 }]]);
  });
});

describe('problems', () => {
  test('of the sheet', () => {
    assert.deepEqual(kinds('name,age\nx,1'), ['1 no_id_column']);
    assert.deepEqual(kinds('id,age\nmira,1'), ['1 no_version_column']);
    assert.deepEqual(kinds('id,version,Age,age,age\nmira,3,1,40,50'), ['1 unknown_column', '1 twice_column']);
    assert.deepEqual(kinds(''), ['1 no_id_column']);
  });

  test('of rows, with their lines', () => {
    const text = 'id,version,age\n,3,1\nghost,3,1\nmira,2,41\nmira,3,42\n=odd,,1\n';
    assert.deepEqual(kinds(text), [
      '2 no_id',
      '3 unknown_id',
      '4 changed_meanwhile',
      '5 twice',
      '6 no_version',
    ]);
    assert.deepEqual(kinds('id,version,age\nmira,3,1,5'), ['2 too_many_cells']);
    assert.equal(plan('id,version,age\nmira,2,40').unchanged, 1, 'an old row without an edit is no problem');
  });

  test('of values, while the rest of the row is taken', () => {
    const text = 'id,version,age,rank,is_alive,side,name,status,motto\nmira,3,forty,1.5,maybe,grey,,gone,new';
    assert.deepEqual(
      plan(text).problems.map(({ title, kind }) => `${title} ${kind}`),
      [
        'age not_a_number',
        'rank not_a_whole_number',
        'is_alive not_yes_or_no',
        'side not_an_option',
        'name empty_name',
        'status not_an_option',
      ],
    );
    assert.deepEqual(edits(text), [['mira', { motto: 'new' }]]);
  });

  test('a comma before three digits is refused, and the message says what to write', () => {
    const text = 'id,version,age\nmira,3,"1,234"';
    assert.deepEqual(edits(text), []);
    const [problem] = plan(text).problems;
    assert.equal(problem?.kind, 'ambiguous_number');
    const message = texts.en.troubles.ambiguous_number(problem);
    assert.equal(message, '“1,234” in “age” can mean two numbers: write 1234 or 1.234');
    for (const [cell, age] of [
      ['0,125', 0.125],
      ['1234,567', 1234.567],
      ['1,23', 1.23],
      ['1.234', 1.234],
    ] as const)
      assert.deepEqual(edits(`id,version,age\nmira,3,"${cell}"`), [['mira', { age }]]);
    const exact = entity('mira', { age: 1.234 });
    assert.deepEqual(plan(text, [exact]), { changes: [], problems: [], unchanged: 1 });
  });

  test('a value that no cell can hold is shown, and stays', () => {
    const strange = entity('mira', { motto: { a: 1 } });
    const text = sheetOf([strange], COLUMNS);
    assert.deepEqual(plan(text, [strange]), { changes: [], problems: [], unchanged: 1 });
    assert.equal(plan('id,version,motto\nmira,3,x', [strange]).problems[0]?.kind, 'no_cell_value');
  });
});

describe('saving', () => {
  const text = "id,version,age\nmira,3,1\n'=odd,3,2\n";

  test('goes on after a failure, and names the version that was seen', async () => {
    const asked: unknown[] = [];
    const call = fakeCalls({
      'entities.update'(args) {
        asked.push(args);
        if (args.entity_id === 'mira') throw new Error('changed');
        return ODD;
      },
    });
    const progress: number[] = [];
    const outcomes = await applyChanges(plan(text).changes, {
      call,
      type: 'character',
      isStopped: () => false,
      onProgress: (done) => progress.push(done),
    });
    assert.deepEqual(asked[1], {
      entity_type: 'character',
      entity_id: '=odd',
      fields: { age: 2 },
      base_version: 3,
    });
    assert.deepEqual(
      outcomes.map(({ error }) => error),
      ['changed', null],
    );
    assert.deepEqual(progress, [1, 2]);
  });

  test('ends when somebody stops it', async () => {
    const call = fakeCalls({ 'entities.update': () => MIRA });
    let done = 0;
    const outcomes = await applyChanges(plan(text).changes, {
      call,
      type: 'character',
      isStopped: () => done === 1,
      onProgress: (count) => (done = count),
    });
    assert.equal(outcomes.length, 1);
  });
});

test('2,000 entries are read page by page, and their sheet is compared quickly', async () => {
  const all = Array.from({ length: 2_000 }, (_, at) => entity(`e${at}`, { ...MIRA.fields, age: at }));
  const call = fakeCalls({
    'entities.list': ({ offset = 0, limit = 0 }) => ({
      entities: all.slice(offset, offset + limit),
      total: all.length,
      limit,
      offset,
    }),
  });
  const loaded = await loadEntities(call, 'character', () => undefined);
  assert.equal(loaded.length, 2_000);
  const begun = process.cpuUsage();
  const text = sheetOf(loaded, COLUMNS).replaceAll(/light/g, 'dark');
  const found = plan(text, loaded);
  assert.equal(countCells(found), 2_000);
  assert.ok(process.cpuUsage(begun).user < 2_000_000);
});
