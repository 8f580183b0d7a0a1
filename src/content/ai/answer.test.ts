import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import { checkFieldsForWrite } from '../entity/index.ts';
import type { FieldDefinition, TemplateDefinition } from '../template/index.ts';
import { type AskedTarget, findTarget, readAnswer, type Target, type TargetEntity } from './index.ts';

const templates = starterTemplates();
const character = templates.get('character') as TemplateDefinition;
const BODY =
  '# Mira\r\n\r\n[How do they look?]\r\n\r\nShe left. She left.\r\n\r\n`[code]` [Who knows it?]\r\n';
const mira: TargetEntity = {
  fields: { summary: 'A smith', birth_year: 0, aliases: [] },
  markdown_body: BODY,
};

function target(asked: AskedTarget, entity: TargetEntity | null = mira): Target {
  const found = findTarget(character, entity, asked);
  assert.ok(found.ok, found.ok ? '' : found.message);
  return found.target;
}

const fault = (asked: AskedTarget, entity: TargetEntity | null = mira): string => {
  const found = findTarget(character, entity, asked);
  return found.ok ? 'none' : `${found.field}: ${found.message}`;
};

const namesOf = ({ fields }: Target): string[] => fields.map(({ name }) => name);

describe('a target', () => {
  it('is the whole entity unless something of it is asked for', () => {
    const whole = target({});
    assert.equal(whole.body, true);
    assert.equal(whole.fields.length, character.fields.length);
    assert.equal(whole.name, false);
    assert.equal(target({}, null).name, true);
  });

  it('has the empty fields, chosen ones, or all', () => {
    const empty = namesOf(target({ fields: 'empty' }));
    assert.ok(empty.includes('want') && empty.includes('aliases'));
    assert.ok(!empty.includes('summary') && !empty.includes('birth_year'));
    assert.deepEqual(namesOf(target({ fields: ['want', 'need'] })), ['want', 'need']);
    assert.deepEqual(namesOf(target({ fields: ['want', 'summary'], onlyEmpty: true })), ['want']);
    assert.match(fault({ fields: ['wnat'] }), /target.fields: 'wnat' is no field of character.*want/);
    assert.match(
      fault({ fields: 'empty' }, { fields: filled(character), markdown_body: '' }),
      /nothing is left/,
    );
  });

  it('has the placeholders of the body, those in code left out', () => {
    const { passages } = target({ placeholders: true });
    assert.deepEqual(
      passages.map(({ key, text }) => [key, text]),
      [
        ['p1', '[How do they look?]'],
        ['p2', '[Who knows it?]'],
      ],
    );
    for (const { start, end, text } of passages) assert.equal(BODY.slice(start, end), text);
    assert.match(fault({ placeholders: ['[code]'] }), /no placeholder \[code\]/);
  });

  it('has a selection by its place or by words that occur once', () => {
    const { passages } = target({ selection: { start: 2, end: 6 } });
    assert.equal(passages[0]?.text, 'Mira');
    assert.match(fault({ selection: { text: 'She left' } }), /more than once/);
    assert.match(fault({ selection: { text: 'nowhere' } }), /does not have this text/);
    assert.match(fault({ selection: { start: 3, end: 9999 } }), /within the body/);
    assert.match(fault({ body: true, placeholders: true }), /not for both/);
    assert.match(fault({ placeholders: true }, null), /a new entity has no text yet/);
  });
});

const filled = ({ fields }: TemplateDefinition): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name }) => [name, 'said']));

describe('an answer', () => {
  const asked = target({ fields: ['want', 'birth_year', 'home', 'story_role', 'aliases'] });
  const read = (answer: string) => readAnswer(asked, mira, answer);
  const full =
    '{"fields": {"want": "A key", "birth_year": 380, "home": "old_mill", "story_role": null, "aliases": ["M"]}}';

  it('is found between words, in a code block and with commas too many', () => {
    for (const text of [
      full,
      `Sure {here}:\n\`\`\`json\n${full}\n\`\`\`\nDone.`,
      full.replace('"]}', '",],}'),
    ]) {
      const { change, problems, silent } = read(text);
      assert.deepEqual(problems, [], text);
      assert.deepEqual(change.fields, { want: 'A key', birth_year: 380, home: 'old_mill', aliases: ['M'] });
      assert.deepEqual(silent, ['story_role']);
    }
  });

  it('may leave out the level of the fields', () => {
    assert.equal(read(full.slice(11, -1)).change.fields.want, 'A key');
  });

  it('that is cut or no JSON is a problem to repair', () => {
    for (const text of ['', 'I cannot.', full.slice(0, 40), '['.repeat(50_000), '{'.repeat(50_000)])
      assert.match(read(text).problems[0]?.message ?? '', /not one complete JSON object/);
  });

  it('tells what breaks the schema and where', () => {
    const { problems } = read(
      '{"fields": {"want": 5, "birth_year": "soon", "home": "The Mill", "aliases": "M", "story_role": null}}',
    );
    assert.deepEqual(
      problems.map(({ path, message }) => `${path} ${message}`),
      [
        'fields.want must be text, is 5',
        'fields.birth_year must be a number, is "soon"',
        'fields.home must be an id (lower-case letters, digits and _), is "The Mill"',
        'fields.aliases must be a list, is "M"',
      ],
    );
    assert.match(read('{"fields": {}}').problems[0]?.message ?? '', /is missing/);
  });

  it('keeps nothing that was not asked for', () => {
    const { change, dropped } = read(
      '{"fields": {"want": "A key", "secret": "x", "__proto__": {"a": 1}}, "status": "archived", "entity_id": "bo", "markdown_body": "x", "name": "y"}',
    );
    assert.deepEqual(change, { name: null, fields: { want: 'A key' }, markdown_body: null });
    assert.equal(dropped.length, 6);
    for (const line of dropped) assert.match(line, /was dropped: it was not asked for$/);
  });

  it('keeps nothing that no file can hold', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const { change, dropped } = read(
      `{"fields": {"want": "a\\u0000b", "aliases": ${deep}, "home": {"constructor": 1}, "birth_year": "\\ud800"}}`,
    );
    assert.deepEqual(change.fields, {});
    assert.equal(dropped.length, 4);
  });

  it('replaces only the passages, byte for byte', () => {
    const places = target({ placeholders: true });
    const { change, problems } = readAnswer(
      places,
      mira,
      '{"passages": {"p1": "Tall.\\nGrey.", "p2": "Bo"}}',
    );
    assert.deepEqual(problems, []);
    assert.equal(
      change.markdown_body,
      '# Mira\r\n\r\nTall.\r\nGrey.\r\n\r\nShe left. She left.\r\n\r\n`[code]` Bo\r\n',
    );
    const left = readAnswer(places, mira, '{"passages": {"p1": "[How do they look?]", "p2": "Bo"}}');
    assert.match(left.problems[0]?.message ?? '', /still has the instruction/);
  });

  it('has the line breaks of the body that it replaces', () => {
    const { change } = readAnswer(target({ body: true }), mira, '{"markdown_body": "# Mira\\n\\nNew."}');
    assert.equal(change.markdown_body, '# Mira\r\n\r\nNew.\r\n');
  });

  it('that passes the schema can be stored, for every type and value', () => {
    for (const template of templates.values()) {
      const found = findTarget(template, null, { fields: 'all' });
      assert.ok(found.ok);
      for (const field of found.target.fields) {
        const one: Target = { name: false, fields: [field], body: false, passages: [] };
        fc.assert(
          fc.property(valueFor(field), (value) => {
            const answer = JSON.stringify({ fields: { [field.name]: value } });
            const { change, problems } = readAnswer(one, null, answer);
            if (problems.length === 0) assert.deepEqual(checkFieldsForWrite(template, change.fields), []);
          }),
          { numRuns: 8 },
        );
      }
    }
  });
});

const valueFor = ({ options, properties }: FieldDefinition): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom('some_id', '', null, [], ['some_id'], {}, ...(options ?? []).map(({ value }) => value)),
    fc.dictionary(fc.constantFrom('x', ...(properties ?? []).map(({ name }) => name)), fc.jsonValue(), {
      maxKeys: 3,
    }),
  );
