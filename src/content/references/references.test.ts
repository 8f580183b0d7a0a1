import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import fc from '../../../test/support/properties.ts';
import { entityFromDocument } from '../entity/index.ts';
import { readDocument } from '../frontmatter/index.ts';
import { DEFAULT_RULE_SETTINGS, parseRules, rulesOfType } from '../rules/index.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import {
  idFromName,
  idsToResolve,
  linesOfReferences,
  type Reference,
  type ReferenceChange,
  referencesOf,
  resolveReference,
  rewriteReferences,
} from './index.ts';

function templateOf(): TemplateDefinition {
  const text = `---
entity_type: ship
name: "[Ship]"
captain: "[Who commands her?]"
port: old_town
crew: []
allies: []
motto: ""
hull: { yard: "", size: { maker: "" } }
stages: [{ place: "", note: "" }]
field_config:
  captain: { reference_type: character }
  port: { reference_type: location }
  crew: { reference_type: character }
  allies: { reference_type: faction, relationship_types: [{ value: war, label: War }] }
  hull.yard: { reference_type: location }
  hull.size.maker: { reference_type: character }
  stages.place: { reference_type: location }
---
`;
  const parsed = parseTemplate({ path: '_Templates/Standard/SHIP_TEMPLATE.md', text });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.template;
}

const SHIP = templateOf();

function referencesIn(text: string, template = SHIP): Reference[] {
  const document = readDocument(text);
  assert.ok(document.ok, JSON.stringify(document));
  return referencesOf(template, entityFromDocument(template, { ...document, folderId: 'sea_hawk' }));
}

const fileOf = (frontmatter: string, body = 'Body\n'): string => `---\n${frontmatter}\n---\n\n${body}`;

/** As `field kind type:id`. */
const told = (text: string, template = SHIP): string[] =>
  referencesIn(text, template).map(
    ({ field, kind, to_type, to_id }) => `${field} ${kind} ${to_type}:${to_id}`,
  );

const linksTold = (body: string): string[] =>
  told(fileOf('name: A', body)).map((line) => line.replace('markdown_body link ', ''));

describe('references of fields', () => {
  test('are ids as text, in lists, in maps and in nested fields', () => {
    const text = fileOf(`captain: ada
crew: [bo, " cy ", bo, ""]
allies:
  - guild
  - { faction_id: watch, relationship: war }
  - { entity_id: court, id: 7 }
hull: { yard: old_town, size: { maker: ada } }
stages:
  - { place: mill, note: ada }
  - { place: mill }`);
    assert.deepEqual(told(text), [
      'captain field character:ada',
      'crew field character:bo',
      'crew field character:cy',
      'allies field faction:guild',
      'allies.faction_id field faction:watch',
      'allies.entity_id field faction:court',
      'hull.yard field location:old_town',
      'hull.size.maker field character:ada',
      'stages.place field location:mill',
    ]);
  });

  test('are not placeholders, empty values, other types or the defaults of the template', () => {
    assert.deepEqual(told(fileOf('captain: "[Who commands her?]"\ncrew: null\nallies: 3')), []);
  });

  test('are found in a map by the first key that names an id', () => {
    assert.deepEqual(
      told(fileOf('allies: [{ target_id: a, note: x }, { target: b }, { faction: c, target: d }]')),
      ['allies.target_id field faction:a', 'allies.target field faction:b', 'allies.faction field faction:c'],
    );
  });

  test('are also the values for which a rule demands an existing entity', () => {
    const rules = parseRules({
      path: '_Rules/SHIP_RULES.md',
      text: `---
rules:
  - { id: sister, rule: The sister exists, severity: error, validation_type: reference_exists, field: sister, reference_type: ship }
  - { id: owner, rule: The owner exists, severity: error, validation_type: reference_exists, field: owner }
---
`,
    });
    assert.ok(rules.ok);
    const ruled = {
      ...SHIP,
      rules: rulesOfType(SHIP, [rules.document], DEFAULT_RULE_SETTINGS, new Map([['ship', SHIP]])),
    };
    const text = fileOf('sister: gull\nowner: ada\nmaster: bo\ncaptain: cy');
    assert.deepEqual(told(text, ruled), [
      'sister field ship:gull',
      'owner field null:ada',
      'captain field character:cy',
    ]);
  });

  test('are no longer than an id can be', () => {
    const ids = ['a'.repeat(200), 'b'.repeat(201)];
    assert.deepEqual(told(fileOf(`crew: [${ids}]`)), [`crew field character:${ids[0]}`]);
  });

  test('may be written as links, and texts hold links too', () => {
    const text = fileOf('captain: "[[ada|the captain]]"\nmotto: "For [[location:old_town]] and [[bo]]"');
    assert.deepEqual(told(text), [
      'captain link character:ada',
      'motto link location:old_town',
      'motto link null:bo',
    ]);
  });
});

describe('links of a body', () => {
  test('name an id, a type where they want to, a heading and a label', () => {
    const body =
      'See [[ada]], [[character:bo]], [[ cy | Cy ]], [[ada#Youth|her]], ![[dan]].\n\n| [[eve\\|Eve]] |\n';
    assert.deepEqual(linksTold(body), ['null:ada', 'character:bo', 'null:cy', 'null:dan', 'null:eve']);
  });

  test('are none in code, behind a backslash, to a file or a path', () => {
    const body = [
      'A `[[a]]` and ``[[b]] ` [[c]]`` and \\[[d]] ![[map.png]] [[notes/x]] [[]] [[ ]] [[e',
      'f]] \\` [[g]] \\`',
      '',
      '```md',
      '[[h]]',
      '~~~',
      '```',
      '> ~~~~',
      '> [[i]]',
      '> ~~~~',
      '- ```',
      '  [[j]]',
      '  ```',
      '``` [[k]] ``` and [[l]]',
      '',
      'An open ` tick [[m]]',
      '',
      'of another paragraph ` [[n]]',
      '```',
      '[[o]]',
    ].join('\n');
    for (const text of [body, body.replaceAll('\n', '\r\n')]) {
      assert.deepEqual(linksTold(text), ['null:g', 'null:l', 'null:m', 'null:n']);
    }
  });

  test('may have an id of any length that an id can have', () => {
    const [longest, longer] = ['a'.repeat(200), 'b'.repeat(201)];
    assert.deepEqual(linksTold(`[[${longest}]] [[character:${longest}]] [[${longer}]]`), [
      `null:${longest}`,
      `character:${longest}`,
    ]);
    assert.deepEqual(linksTold('[[a\u2028b]]'), []);
  });

  test('are each one edge, however alike type and id look', () => {
    assert.deepEqual(linksTold('[[a:bc]] [[ab:c]] [[a:bc]]'), ['a:bc', 'ab:c']);
  });

  test('are counted up to ten thousand', () => {
    const body = Array.from({ length: 10_001 }, (_, index) => `[[n${index}]]`).join(' ');
    assert.equal(linksTold(body).length, 10_000);
  });

  test('stand outside fences, also one at the start and one whose line holds a backtick', () => {
    assert.deepEqual(linksTold('\n\n~~~\n[[a]]\n~~~\n[[b]]'), ['null:b']);
    assert.deepEqual(linksTold('~~~ a`b\n[[a]]\n~~~\n[[b]]'), ['null:b']);
  });

  test('a backtick within a code span opens none', () => {
    assert.deepEqual(linksTold('`` ` `` [[a]] ` [[b]]'), ['null:a', 'null:b']);
  });

  test('only an escaped backtick closes a code span, no other escaped sign', () => {
    assert.deepEqual(linksTold('`[[a]] \\x [[b]]'), ['null:a', 'null:b']);
    assert.deepEqual(linksTold('`[[a]]\\` [[b]]'), ['null:b']);
    assert.deepEqual(linksTold('\\x [[a]] \\y [[b]] ``'), ['null:a', 'null:b']);
  });

  test('a hostile text takes no longer than its length', () => {
    const hostile = ['[['.repeat(2e5), `[[a${' '.repeat(4e5)}b]]`, '`'.repeat(3e5), ''];
    hostile.push(Array.from({ length: 900 }, (_, count) => '`'.repeat(count + 1)).join('x'));
    const started = process.cpuUsage();
    for (const body of hostile) assert.deepEqual(linksTold(`${body} [[`), []);
    assert.ok(cpuTimeSince(started) < 2_000);
  });
});

const RENAME: ReferenceChange = { entity_type: 'character', from: 'ada', to: 'ada_vale', untyped: 'rename' };

describe('a rename', () => {
  const text = fileOf(
    `captain:   'ada' # since 402
crew:
  - bo
  - "ada"   # twice
allies: [ada]
motto: "ada, [[ada|Ada]] and [[location:ada]]"`,
    'ada [[ada]] [[ada|Ada]] [[character:ada]] [[location:ada]] `[[ada]]`\n',
  );

  test('changes the references alone and keeps labels, quotes and comments', () => {
    assert.equal(
      rewriteReferences(SHIP, text, RENAME),
      fileOf(
        `captain:   'ada_vale' # since 402
crew:
  - bo
  - "ada_vale"   # twice
allies: [ada]
motto: "ada, [[ada_vale|Ada]] and [[location:ada]]"`,
        'ada [[ada_vale]] [[ada_vale|Ada]] [[character:ada_vale]] [[location:ada]] `[[ada]]`\n',
      ),
    );
  });

  test('leaves untyped links that mean another entity, and qualifies those that would', () => {
    const body = '[[ada]] [[character:ada]]\n';
    const rename = (untyped: ReferenceChange['untyped']) =>
      rewriteReferences(SHIP, fileOf('name: A', body), { ...RENAME, untyped });
    assert.equal(rename('leave'), fileOf('name: A', '[[ada]] [[character:ada_vale]]\n'));
    assert.equal(rename('qualify'), fileOf('name: A', '[[character:ada_vale]] [[character:ada_vale]]\n'));
  });

  test('finds the id behind an exclamation mark and spaces', () => {
    const body = 'a ![[ada]] [[ character:  ada |Ada]]\n';
    assert.equal(
      rewriteReferences(SHIP, fileOf('name: A', body), RENAME),
      fileOf('name: A', 'a ![[ada_vale]] [[ character:  ada_vale |Ada]]\n'),
    );
  });

  test('of an unreadable file is refused with its place', () => {
    assert.throws(() => rewriteReferences(SHIP, '---\na: [\n---\n', RENAME), { name: 'DocumentError' });
  });
});

describe('the line of a reference', () => {
  const text = fileOf(
    'name: A\ncaptain: ada\ncrew:\n  - bo\n  - ada',
    'One [[ada]]\n\n[[character:ada]] [[bo]]\n',
  );
  const reference = { field: 'markdown_body', kind: 'link', to_type: null, to_id: 'ada' } as const;

  test('is where it stands first, in a field or in the body', () => {
    const told = linesOfReferences(SHIP, text, referencesIn(text)).map((line, index) => [
      line,
      Object.values(referencesIn(text)[index] ?? {}).join(' '),
    ]);
    assert.deepEqual(told, [
      [3, 'captain field character ada'],
      [5, 'crew field character bo'],
      [6, 'crew field character ada'],
      [9, 'markdown_body link  ada'],
      [11, 'markdown_body link character ada'],
      [11, 'markdown_body link  bo'],
    ]);
  });

  test('counts the blank lines before it', () => {
    assert.deepEqual(linesOfReferences(SHIP, fileOf('name: A', '\n\n[[ada]]'), [reference]), [7]);
  });

  test('is unknown for what the text does not say in all parts, and for a text that cannot be read', () => {
    const others = [
      { ...reference, field: 'motto' },
      { ...reference, kind: 'field' as const },
      { ...reference, to_type: 'location' },
      { ...reference, to_id: 'cy' },
    ];
    assert.deepEqual(linesOfReferences(SHIP, text, others), [null, null, null, null]);
    assert.deepEqual(linesOfReferences(SHIP, '---\na: [\n---\n', [reference]), [null]);
  });
});

describe('the target of a reference', () => {
  const mira = { entity_type: 'character', entity_id: 'mira_vale' };
  const ship = { entity_type: 'ship', entity_id: 'mira_vale' };
  const byId = new Map([
    ['mira_vale', [mira, ship]],
    ['solo', [mira]],
    ['Mira', [mira]],
  ]);
  const resolved = (to_type: string | null, to_id: string) => resolveReference({ to_type, to_id }, byId);

  test('is the only entity of that id, and of that type if the reference has one', () => {
    assert.deepEqual(resolved(null, 'solo'), { state: 'found', to: mira, candidates: [] });
    assert.deepEqual(resolved('ship', 'mira_vale'), { state: 'found', to: ship, candidates: [] });
  });

  test('is unclear where several types have the id', () => {
    assert.deepEqual(resolved(null, 'mira_vale'), { state: 'ambiguous', to: null, candidates: [mira, ship] });
  });

  test('is missing, with those that may be meant: of another type, or of that name', () => {
    assert.deepEqual(resolved('ship', 'solo'), { state: 'missing', to: null, candidates: [mira] });
    assert.deepEqual(resolved('ship', 'Mira'), { state: 'missing', to: null, candidates: [mira] });
    assert.deepEqual(resolved(null, 'Mira Vale'), { state: 'missing', to: null, candidates: [mira, ship] });
    assert.deepEqual(resolved('ship', 'nobody'), { state: 'missing', to: null, candidates: [] });
  });

  test('is looked for by its id and by the id that its name would have', () => {
    assert.equal(idFromName('Mira Vale'), 'mira_vale');
    assert.deepEqual(idsToResolve([{ to_id: 'Mira Vale' }, { to_id: 'bo' }, { to_id: '???' }]), [
      'Mira Vale',
      'mira_vale',
      'bo',
      '???',
    ]);
  });
});

const id = fc.constantFrom('ada', 'bo', 'cy', 'old_town', 'guild', 'ada_v');
const link = fc
  .tuple(
    fc.constantFrom('', 'character:', 'location:', ' '),
    id,
    fc.constantFrom('', '|Label', '#Part', '\\|L'),
  )
  .map((parts) => `[[${parts.join('')}]]`);
const noise = fc.constantFrom(
  ' ',
  '\n',
  '\n\n',
  '`',
  '``',
  '\n```\n',
  '\n~~~\n',
  'ada',
  '\\',
  '![',
  '- ',
  '> ',
  '\r\n',
);
const body = fc
  .array(fc.oneof(link, noise, fc.string({ maxLength: 5 })), { maxLength: 25 })
  .map((parts) => parts.join(''));
const quoted = (value: string): string => JSON.stringify(value);
const written = id.chain((value) => fc.constantFrom(value, quoted(value), `'${value}'`));
const document = fc
  .record({
    captain: written,
    crew: fc.array(written, { maxLength: 4 }),
    yard: written,
    ally: written,
    motto: body,
    body,
  })
  .map((parts) =>
    fileOf(
      `captain: ${parts.captain} # who\ncrew:${parts.crew.map((entry) => `\n  - ${entry}`).join('') || ' []'}
hull: { yard: ${parts.yard} }
allies: [{ faction: ${parts.ally}, bond: war }]
motto: ${quoted(parts.motto.replace(/[\r\n]/g, ' '))}`,
      parts.body,
    ),
  )
  .filter((text) => readDocument(text).ok);
const change = fc.record({
  entity_type: fc.constantFrom('character', 'location', 'faction'),
  from: id,
  to: fc.constantFrom('zoe', 'z_9'),
  untyped: fc.constantFrom('leave' as const, 'rename' as const),
});

const isMeant = (edge: Reference, { entity_type, from, untyped }: ReferenceChange): boolean =>
  edge.to_id === from && (edge.to_type === null ? untyped === 'rename' : edge.to_type === entity_type);

describe('a rename of any entity in any file', () => {
  test('renames exactly the edges that mean it, and back again gives the file byte for byte', () => {
    fc.assert(
      fc.property(document, change, (text, rename) => {
        const renamed = rewriteReferences(SHIP, text, rename);
        const expected = referencesIn(text).map((edge) =>
          isMeant(edge, rename) ? { ...edge, to_id: rename.to } : edge,
        );
        assert.deepEqual(referencesIn(renamed), expected);
        const back = { ...rename, from: rename.to, to: rename.from };
        assert.equal(rewriteReferences(SHIP, renamed, back), text);
      }),
      { numRuns: 1000 },
    );
  });

  test('a file that does not refer to it comes back as it is', () => {
    fc.assert(
      fc.property(document, change, (text, rename) => {
        assert.equal(rewriteReferences(SHIP, text, { ...rename, from: 'nobody' }), text);
      }),
    );
  });
});
