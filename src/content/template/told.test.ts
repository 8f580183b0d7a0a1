import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bumpMinorVersion,
  isLaterVersion,
  metadataFaults,
  metadataMessages,
  outlineOf,
  parseTemplate,
} from './index.ts';

describe('versions', () => {
  it('grow by a minor one', () => {
    for (const [version, next] of [
      ['2.0', '2.1'],
      [' 3 ', '3.1'],
      ['2.0.4', '2.1.0'],
      ['1.99.12.7', '1.100.0.0'],
      ['1.9007199254740993', '1.9007199254740994'],
      ['two', '2.1'],
      ['', '2.1'],
      ['2.', '2.1'],
    ] as const)
      assert.equal(bumpMinorVersion(version), next);
  });

  it('are compared number by number', () => {
    for (const [later, earlier] of [
      ['2.1', '2.0'],
      ['2.10', '2.9'],
      ['3', '2.9'],
      ['2.0.1', '2'],
      [' 2.1 ', '2'],
      ['1', 'draft'],
    ] as const) {
      assert.equal(isLaterVersion(later, earlier), true, later);
      assert.equal(isLaterVersion(earlier, later), false, earlier);
    }
    for (const [one, other] of [
      ['2.0', '2'],
      ['2', ' 2.0.0'],
      ['a', 'b'],
      ['', ''],
    ] as const)
      assert.deepEqual([isLaterVersion(one, other), isLaterVersion(other, one)], [false, false]);
  });
});

describe('the outline of a body', () => {
  const outline = (...lines: string[]) =>
    outlineOf(lines.join('\n')).map(({ heading, level, placeholders, text }) => [
      level,
      heading,
      placeholders,
      text,
    ]);

  it('has a section for each heading, and one before the first if there is text', () => {
    assert.deepEqual(
      outline('Hi [who?]', '', '# A ##', ' x', '###### B #b ', '  ## C', '', '[What', '  now?]'),
      [
        [0, null, ['[who?]'], 'Hi [who?]'],
        [1, 'A', [], 'x'],
        [6, 'B #b', [], ''],
        [2, 'C', ['[What now?]'], '[What\n  now?]'],
      ],
    );
    assert.deepEqual(outline('', '# A\r', 'x\r'), [[1, 'A', [], 'x']]);
    assert.deepEqual(outline(), []);
    assert.deepEqual(outline('#A', '    # B', '####### C', '#'), [
      [0, null, [], '#A\n    # B\n####### C\n#'],
    ]);
  });

  it('does not look into code', () => {
    const code = ['# A', '````', '# no', '[not this]', '```', '[nor this]', '`````', '[this]'];
    assert.deepEqual(outline(...code), [[1, 'A', ['[this]'], code.slice(1).join('\n')]]);
    assert.deepEqual(outline('> ~~~', '# no [x y]', '```', '> ~~~', '[yes] `[no]` ``[not] this``'), [
      [0, null, ['[yes]'], '> ~~~\n# no [x y]\n```\n> ~~~\n[yes] `[no]` ``[not] this``'],
    ]);
    assert.deepEqual(outline('```', '# never closed'), [[0, null, [], '```\n# never closed']]);
  });

  it('knows instructions from links, boxes, footnotes and escapes', () => {
    const text = '[a](b) [c][d] [e]: f [^1] [ ] [x] [X] [[mira]] \\[no] ![g] [h] [xy] [i [jk] l]';
    assert.deepEqual(outline(text)[0]?.[2], ['[xy]', '[jk]']);
  });
});

describe('faults of metadata', () => {
  const GOOD = {
    template_version: '2.0',
    id: 'x',
    entity_type: 'ship',
    created_date: '2026-01-31',
    last_updated: '2026-01-31T10:00:00Z',
    status: 'draft',
  };
  const faults = (changed: Record<string, unknown>) =>
    metadataFaults({ ...GOOD, ...changed }).map(({ field, message }) => `${field} ${message}`);

  it('are told by field', () => {
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ template_version: 2 }), []);
    for (const empty of [undefined, null, '']) assert.deepEqual(faults({ id: empty }), ['id is missing']);
    assert.deepEqual(faults({ id: ['x'], entity_type: {} }), ['id must be text', 'entity_type must be text']);
    assert.deepEqual(faults({ template_version: '2.x' }), [
      'template_version "2.x" is not a version, such as "2.0"',
    ]);
    for (const day of ['2026-02-30', '2026-13-01', '31.1.2026', '2026-01-311', 'x2026-01-31'])
      assert.deepEqual(faults({ created_date: day, last_updated: day }), [
        `created_date "${day}" is not a date, such as "2026-01-31"`,
        `last_updated "${day}" is not a date, such as "2026-01-31"`,
      ]);
    assert.deepEqual(faults({ status: 'activ' }), [
      'status "activ" is not one of active, archived, draft (did you mean \'active\'?)',
    ]);
    for (const status of ['active', 'archived', 'draft']) assert.deepEqual(faults({ status }), []);
  });

  it('are told together where they are missing', () => {
    const told = (metadata: object) => metadataMessages(metadataFaults({ ...GOOD, ...metadata }));
    assert.deepEqual(told({}), []);
    assert.deepEqual(told({ id: null }), [{ field: 'id', message: 'the metadata id is missing' }]);
    assert.deepEqual(told({ id: null, status: '', created_date: 'x' }), [
      { field: 'id', message: 'the metadata id, status are missing' },
      { field: 'created_date', message: 'created_date "x" is not a date, such as "2026-01-31"' },
    ]);
  });
});

describe('names in a template that mean nothing', () => {
  const problemsOf = (frontmatter: string) => {
    const metadata =
      'entity_type: ship\ntemplate_version: "2.0"\nid: x\ncreated_date: 2026-01-31\nlast_updated: 2026-01-31\nstatus: active';
    const text = `---\n${metadata}\n${frontmatter}\n---\n`;
    const read = parseTemplate({ path: '_Templates/Standard/SHIP_TEMPLATE.md', text });
    assert.ok(read.ok);
    return read.template.problems.map(({ line, message }) => `${line}: ${message}`);
  };

  it('are told with their line', () => {
    const found = problemsOf(`summary: ""
field_config:
  sumary: { label: x }
  zzz: { label: x }
  summary: { widgt: x, own: 1, widget: texarea, min: 1, canon: x }
fields:
  - { name: a, type: string, defalt: 1, widget: wibble }
  - { name: b, type: string, default: "", widget: "plugin:maps:pin" }
`);
    assert.deepEqual(found.toSorted(), [
      `10: field_config names "sumary", which is not a field of the template (did you mean 'summary'?)`,
      '11: field_config names "zzz", which is not a field of the template',
      `12: field "summary": "widgt" is not a setting (did you mean 'widget'?)`,
      `12: field "summary": there is no widget "texarea" (did you mean 'textarea'?)`,
      `14: field "a": "defalt" is not a setting (did you mean 'default'?)`,
      '14: field "a": there is no widget "wibble"; known are text, textarea, number, range, year, date, toggle, select, radio-group, tags, list, object, color, color-palette, image, url, entity-selector',
    ]);
  });

  it('are none for every setting that there is', () => {
    const settings =
      'widget: text, label: L, description: D, placeholder: P, required: true, value: 1, hex: x';
    const more = 'min: 1, max: 2, step: 1, show_value: true, layout: row, max_selections: 1, options: [a]';
    assert.deepEqual(
      problemsOf(`x: ""\nfield_config: { x: { ${settings}, ${more}, relationship_types: [a] } }`),
      [],
    );
    assert.deepEqual(problemsOf(`fields: [{ name: x, type: string, default: a, ${settings}, ${more} }]`), []);
  });
});
