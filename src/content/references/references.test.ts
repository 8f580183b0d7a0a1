import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import fc from '../../../test/support/properties.ts';
import { entityFromDocument } from '../entity/index.ts';
import { readDocument } from '../frontmatter/index.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import { type Reference, type ReferenceChange, referencesOf, rewriteReferences } from './index.ts';

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

function referencesIn(text: string): Reference[] {
  const document = readDocument(text);
  assert.ok(document.ok, JSON.stringify(document));
  return referencesOf(SHIP, entityFromDocument(SHIP, { ...document, folderId: 'sea_hawk' }));
}

const fileOf = (frontmatter: string, body = 'Body\n'): string => `---\n${frontmatter}\n---\n\n${body}`;

/** As `field kind type:id`. */
const told = (text: string): string[] =>
  referencesIn(text).map(({ field, kind, to_type, to_id }) => `${field} ${kind} ${to_type}:${to_id}`);

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

  test('of an unreadable file is refused with its place', () => {
    assert.throws(() => rewriteReferences(SHIP, '---\na: [\n---\n', RENAME), { name: 'DocumentError' });
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
