import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draftNotes } from '../../../test/support/draft-notes.ts';
import fc from '../../../test/support/properties.ts';
import { entityFromDocument } from '../entity/index.ts';
import { createDocument, readDocument } from '../frontmatter/index.ts';
import { isReservedKey } from '../frontmatter/json.ts';

/** Unique, so that they can be searched for. */
const token = fc.stringMatching(/^[a-z]{12,16}$/);
const number = fc.integer({ min: 100_000, max: 999_999_999 });
const KNOWN_KEYS = [
  'name',
  'title',
  'born',
  'dob',
  'birth_year',
  'Eye Colour',
  'home',
  'hometown',
  'job',
  'aliases',
  'aka',
  'tags',
  'status',
  'type',
  'species',
  'race',
  'arc',
  'voice',
  'stats',
  'parents',
  'is_playable',
  'playable',
  'primary_asset',
  'image',
  'created_date',
  'template_version',
  'editable',
  'fields',
  'field_config',
  'body',
  'notes',
  'summary',
  'description',
  'id',
  'entity_type',
  'height',
  'pronouns',
  'story_role',
  'role',
  'secrets',
  'relationships',
  'palette',
  'markdown_body',
];
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN_KEYS) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }) },
);
const scalar = fc.oneof(
  token,
  number,
  fc.boolean(),
  token.map((text) => `[[${text}]]`),
  fc.tuple(token, token).map(([target, label]) => `[[${target}|${label}]]`),
  fc.tuple(token, token).map(([left, right]) => `${left}, ${right}`),
  fc.tuple(token, token).map(([left, right]) => `${left}\n${right}\n`),
  fc.integer({ min: 1000, max: 9999 }).map((year) => `${year}-03-04`),
  number.map(String),
  fc.constantFrom('[What is it?]', 'mentor', 'they/them', 'yes', '007', ''),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(token, scalar, { maxKeys: 3 }) },
);
const properties = fc
  .dictionary(key, value, { maxKeys: 8 })
  .map((map) =>
    Object.fromEntries(Object.entries(map).filter(([name]) => name.trim() !== '' && !isReservedKey(name))),
  );
const line = fc.oneof(
  token,
  fc.tuple(token, token).map(([a, b]) => `${a} [[Other Note|${b}]] #${a}`),
  token.map((text) => `| [[Other Note]] | ${text} |`),
  token.map((text) => `![[${text}.png]] and [[Other Note#${text}]]`),
  token.map((text) => `[${text}](Other%20Note.md)`),
  fc.constantFrom('', '```', '---', '# Heading'),
);
const body = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));

function* leavesOf(item: unknown): Generator<string> {
  if (typeof item === 'string') yield* item.match(/[a-z]{12,16}|\d{4,}/g) ?? [];
  else if (typeof item === 'number') yield String(item);
  else if (Array.isArray(item)) for (const entry of item) yield* leavesOf(entry);
  else if (typeof item === 'object' && item !== null) {
    for (const [name, entry] of Object.entries(item)) {
      yield* leavesOf(name);
      yield* leavesOf(entry);
    }
  }
}

const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const SOURCES = {
  'Characters/Note.md': (data: object, text: string) => createDocument({ ...data }, text),
  'characters.json': (data: object, text: string) => JSON.stringify([{ name: 'Note', ...data, prose: text }]),
  'characters.csv': (data: object, text: string) => {
    const cells = Object.entries({ name: 'Note', ...data, prose: text });
    const texts = cells.map(([, each]) => (typeof each === 'string' ? each : JSON.stringify(each)));
    return `${cells.map(([name]) => csvCell(name)).join(',')}\n${texts.map(csvCell).join(',')}\n`;
  },
};

describe('nothing of a source disappears', () => {
  for (const [path, write] of Object.entries(SOURCES)) {
    test(`in ${path}`, () => {
      fc.assert(
        fc.property(properties, body, (data, text) => {
          const source = write(data, text);
          const { notes, refused } = draftNotes({ [path]: source, 'Places/Other Note.md': 'There' });
          const made = notes.find(({ identified }) => identified.note.path === path);
          const told = JSON.stringify([refused, made?.draft.report, made?.refused]);
          const all = `${made?.text ?? ''}\n${told}`;
          const said = Object.fromEntries(Object.entries(data).filter(([, each]) => each !== ''));
          for (const leaf of [...leavesOf(said), ...leavesOf(text)])
            assert.ok(all.includes(leaf), `${leaf} is neither in the entity nor in the report`);
          if (made === undefined) return;
          const { report } = made.draft;
          const accounted = [
            ...report.kept,
            ...report.mapped.map(({ from }) => from),
            ...report.kept_aside.map(({ from }) => from),
            ...made.identified.note.refused.map(({ place }) => place),
          ];
          const stood = [
            ...Object.keys(made.identified.note.properties),
            ...made.identified.note.refused.map(({ place }) => place),
          ];
          assert.deepEqual(accounted.sort(), stood.sort(), 'each property stands in the report once');
          const document = readDocument(made.text);
          assert.ok(document.ok);
          const { template, entity_id: folderId } = made.identified;
          const entity = entityFromDocument(template, { ...document, folderId });
          const wrong = entity.validation_errors.filter(({ code }) => code !== 'required');
          assert.deepEqual(wrong, [], 'what was taken in is valid');
          assert.deepEqual([entity.entity_id, entity.name], [folderId, made.draft.name]);
        }),
        { numRuns: 300, examples: [[{ entity_type: 'note', id: '[What is it?]' }, '']] },
      );
    });
  }
});
