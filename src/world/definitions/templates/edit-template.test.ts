import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase, type OpenedDatabase } from '../../../../test/support/databases.ts';
import {
  type TemplatesWorld,
  templatesWorld,
  templateText,
  withMetadata,
} from '../../../../test/support/templates.ts';
import { FilesError } from '../../../platform/files/files.ts';
import type { RecordTables } from '../../records/records.tables.ts';
import { listRevisions } from '../../records/revisions.store.ts';
import { findTemplateRows } from './templates.store.ts';

const CUSTOM = 'Custom/STARSHIP_TEMPLATE.md';
const STARSHIP = templateText(`
# The pride of the fleet
entity_type: starship
id: starship_template
created_date: 2025-01-01
status: active
template_version: '1.4' # bumped by hand so far
last_updated: 2025-01-01
crew: 12      # without passengers
drive: {kind: fold, range: 3}
`);
const BROKEN = '---\nentity_type: starship\nname: [oops\n---\n';

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let world: TemplatesWorld;
  beforeEach(async () => {
    opened = await open();
    world = await templatesWorld(opened.database);
    await world.put(CUSTOM, STARSHIP);
    await world.registry.reload(world.project);
  });
  afterEach(async () => {
    await world.close();
    await opened.close();
  });

  const revisionsOf = async (type: string) => {
    const row = (await findTemplateRows(world.project)).get(type);
    const rows = await opened.database.tenant('local').read((db: Kysely<RecordTables>) =>
      db
        .selectFrom('entity_revisions')
        .select('content')
        .where('row_id', '=', row?.row_id ?? 0)
        .execute(),
    );
    return rows.map((one) => one.content);
  };

  test('a partial change leaves every other byte, bumps the version and sets the date', async () => {
    const body = { frontmatter: { crew: 14 }, markdown_body: '## Logbook\n' };
    const { status, body: reply } = await world.ask('PUT', 'templates/starship', body);
    assert.equal(status, 200);
    const text = await world.read(CUSTOM);
    assert.equal(
      text,
      STARSHIP.replace('crew: 12 ', 'crew: 14 ')
        .replace("'1.4'", "'1.5'")
        .replace('last_updated: 2025-01-01', 'last_updated: 2026-03-04')
        .replace('## Notes', '## Logbook'),
    );
    assert.equal(reply.content, text);
    assert.equal(reply.definition.template_version, '1.5');
    const row = (await findTemplateRows(world.project)).get('starship');
    assert.deepEqual([row?.version, row?.source, row?.updated_by], [2, 'api', 'admin-1']);
    assert.deepEqual(await revisionsOf('starship'), [STARSHIP]);
  });

  test('while all templates are gone a change is put beside the place where its file may come back', async () => {
    const place = 'Standard/CHARACTER_TEMPLATE.md';
    const content = await world.read(place);
    await world.remove('.');
    const { status, body } = await world.ask('PUT', 'templates/character', { content });
    assert.equal(status, 200);
    assert.equal(body.path, '_Templates/Custom/CHARACTER_TEMPLATE.md');
    await assert.rejects(world.read(place));
  });

  test('a version that the author chose stands; an unchanged text writes nothing', async () => {
    const chosen = await world.ask('PUT', 'templates/starship', { frontmatter: { template_version: '3.0' } });
    assert.equal(chosen.body.definition.template_version, '3.0');
    const before = await world.read(CUSTOM);
    const same = await world.ask('PUT', 'templates/STARSHIP_TEMPLATE.md', { content: before });
    assert.equal(same.status, 200);
    assert.equal(await world.read(CUSTOM), before);
  });

  test('a version never goes back', async () => {
    const old = await world.read(CUSTOM);
    for (const version of ['1.5', '1.6']) {
      const change = { frontmatter: { crew: Number(version) } };
      const { body } = await world.ask('PUT', 'templates/starship', change);
      assert.equal(body.definition.template_version, version);
    }
    const stale = await world.ask('PUT', 'templates/starship', { content: old });
    assert.equal(stale.body.definition.template_version, '1.7');
    const lower = { frontmatter: { template_version: '1.10', crew: 3 } };
    assert.equal(
      (await world.ask('PUT', 'templates/starship', lower)).body.definition.template_version,
      '1.10',
    );
    const back = await world.ask('PUT', 'templates/starship', { frontmatter: { template_version: '1.9' } });
    assert.equal(back.body.definition.template_version, '1.11');
  });

  test('a file that lacks metadata is reported, used and can be changed', async () => {
    await world.put(CUSTOM, templateText('entity_type: starship\ncrew: 12\nstatus: weird'));
    const changed = await world.ask('PUT', 'templates/starship', { frontmatter: { crew: 14 } });
    assert.equal(changed.status, 200);
    assert.deepEqual(
      changed.body.problems.map(({ reason, line }: { reason: string; line: number }) => [reason, line]),
      [
        ['the metadata id, created_date, last_updated are missing', 2],
        ['status "weird" is not one of active, archived, draft', 4],
      ],
    );
    const worse = await world.ask('PUT', 'templates/starship', { frontmatter: { status: 'odd' } });
    assert.equal(worse.status, 422);
  });

  test('names in the settings of fields that mean nothing are reported with their lines and what is near', async () => {
    const content = templateText(
      withMetadata(`entity_type: almanac
keeper: ""
mood: 0
flie_prefix: ALM
fields:
  - name: weather
    widgit: text
field_config:
  keeper: { widget: entity-selector, reference_type: charakter }
  mod: { widget: range, min: 0 }
  mood: { widget: rnage, mxa: 3, colour_of_sky: blue }
  weather: { widget: "plugin:sky:clouds" }`),
    );
    const lineOf = (words: string) => content.slice(0, content.indexOf(words)).split('\n').length;
    const { status, body } = await world.ask('PUT', 'templates/almanac', { content });
    assert.equal(status, 200);
    const told = body.problems.map(({ reason, line, severity }: Record<string, unknown>) => [
      reason,
      line,
      severity,
    ]);
    assert.deepEqual(told, [
      [
        'field_config names "mod", which is not a field of the template (did you mean \'mood\'?)',
        lineOf('mod: {'),
        'warning',
      ],
      ['field "mood": there is no widget "rnage" (did you mean \'range\'?)', lineOf('mood: { w'), 'warning'],
      ['field "mood": "mxa" is not a setting (did you mean \'max\'?)', lineOf('mood: { w'), 'warning'],
      ['field "weather": "widgit" is not a setting (did you mean \'widget\'?)', lineOf('widgit'), 'warning'],
      ['"flie_prefix" is read as a field (did you mean \'file_prefix\'?)', lineOf('flie_prefix'), 'warning'],
      [
        'field "keeper" refers to "charakter", which is not a type (did you mean \'character\'?)',
        lineOf('keeper: {'),
        'warning',
      ],
    ]);
    await world.remove('Custom/ALMANAC_TEMPLATE.md');
    await world.ask('POST', 'templates/reload');
  });

  test('keys can be taken out', async () => {
    const { body } = await world.ask('PUT', 'templates/starship', { unset: ['crew'] });
    assert.equal('crew' in body.frontmatter, false);
    assert.equal(body.frontmatter.drive.kind, 'fold');
  });

  test('a new type is made in Custom and usable at once', async () => {
    const content = templateText(withMetadata('entity_type: oracle\nomens: []'));
    const { status, body } = await world.ask('PUT', 'templates/oracle', { content });
    assert.equal(status, 200);
    assert.equal(body.path, '_Templates/Custom/ORACLE_TEMPLATE.md');
    assert.equal(await world.read('Custom/ORACLE_TEMPLATE.md'), content);
    assert.equal((await world.ask('GET', 'schemas/oracle')).body.properties.omens.type, 'array');
    const partial = await world.ask('PUT', 'templates/wizard', { frontmatter: { spells: [] } });
    assert.equal(partial.status, 404);
  });

  test('what is no template of its name is refused with its place, and nothing changes', async () => {
    const cases: [string, object, RegExp, number | undefined][] = [
      ['starship', { content: BROKEN }, /Nothing was changed/, 4],
      ['starship', { content: templateText('\nentity_type: boat') }, /does not match/, 2],
      ['starship', { frontmatter: { entity_type: 'boat' } }, /does not match/, 3],
      [
        'oracle',
        { content: templateText('entity_type: oracle') },
        /template_version, id, created_date, last_updated, status are missing/,
        undefined,
      ],
      ['starship', { unset: ['created_date', 'id'] }, /id, created_date are missing/, undefined],
      [
        'starship',
        { frontmatter: { status: 'actve' } },
        /"actve" is not one of active, archived, draft \(did you mean 'active'\?\)/,
        undefined,
      ],
      [
        'starship',
        { frontmatter: { created_date: '2026-02-30' } },
        /created_date "2026-02-30" is not a date/,
        undefined,
      ],
      ['starship', { frontmatter: { template_version: 'soon' } }, /not a version/, undefined],
      [
        'starship',
        { frontmatter: { production_status: { general: 'done' } } },
        /production_status\.general must be one of concept/,
        undefined,
      ],
      [
        'starship',
        { frontmatter: { production_status: { generel: 'concept' } } },
        /did you mean 'general'/,
        undefined,
      ],
      ['reload', { content: templateText('entity_type: reload') }, /reserved for a route/, 2],
      [
        'oracle',
        { content: templateText(withMetadata('entity_type: oracle\nfolder_name: Characters')) },
        /Characters/,
        undefined,
      ],
      ['No Name', { content: STARSHIP }, /cannot be a type/, undefined],
    ];
    for (const [name, body, detail, line] of cases) {
      const reply = await world.ask('PUT', `templates/${encodeURIComponent(name)}`, body);
      assert.equal(reply.status, 422, name);
      assert.match(reply.body.detail, detail);
      assert.equal(reply.body.errors?.[0].line, line, reply.body.detail);
    }
    assert.equal((await world.ask('PUT', 'templates/starship', {})).status, 422);
    assert.equal(await world.read(CUSTOM), STARSHIP);
    assert.equal((await world.ask('POST', 'templates/reload')).body.total, 17);
  });

  test('If-Match guards against what was changed meanwhile', async () => {
    const { etag } = await world.ask('GET', 'templates/starship');
    const headers = { 'if-match': String(etag) };
    const change = (crew: number) =>
      world.ask('PUT', 'templates/starship', { frontmatter: { crew } }, { headers });
    assert.equal((await change(20)).status, 200);
    const second = await change(30);
    assert.equal(second.status, 412);
    assert.match(await world.read(CUSTOM), /crew: 20/);
    const fresh = { 'if-match': '"sha256:0"' };
    const made = await world.ask(
      'PUT',
      'templates/oracle',
      { content: templateText('entity_type: oracle') },
      { headers: fresh },
    );
    assert.equal(made.status, 412);
  });

  test('of changes at the same time none is lost', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      keys.map((key) => world.ask('PUT', 'templates/starship', { frontmatter: { [key]: key } })),
    );
    const { frontmatter } = (await world.ask('GET', 'templates/starship')).body;
    for (const key of keys) assert.equal(frontmatter[key], key);
    assert.equal(frontmatter.template_version, '1.10');
  });

  test('an edit on disk that nobody has seen yet is kept as a revision', async () => {
    const outside = STARSHIP.replace('crew: 12', 'crew: 99');
    await world.put(CUSTOM, outside);
    await world.ask('PUT', 'templates/starship', { frontmatter: { drive: null } });
    assert.match(await world.read(CUSTOM), /crew: 99/);
    assert.deepEqual((await revisionsOf('starship')).sort(), [STARSHIP, outside].sort());
  });

  test('a broken file is replaced only when asked, and its text is kept', async () => {
    await world.put(CUSTOM, BROKEN);
    const partial = await world.ask('PUT', 'templates/starship', {
      frontmatter: { crew: 1 },
      overwrite: true,
    });
    assert.equal(partial.status, 409);
    assert.equal(partial.body.errors[0].line, 4);
    assert.equal((await world.ask('PUT', 'templates/starship', { content: STARSHIP })).status, 409);
    assert.equal(await world.read(CUSTOM), BROKEN);
    const asked = await world.ask('PUT', 'templates/starship', { content: STARSHIP, overwrite: true });
    assert.equal(asked.status, 200);
    assert.equal(await world.read(CUSTOM), STARSHIP);
    assert.ok((await revisionsOf('starship')).includes(BROKEN));
    assert.deepEqual(asked.body.problems, []);
  });

  test('bytes that are no text are never overwritten', async () => {
    await world.put(CUSTOM, Uint8Array.of(45, 45, 45, 10, 255, 254));
    const { status } = await world.ask('PUT', 'templates/starship', { content: STARSHIP, overwrite: true });
    assert.equal(status, 409);
  });

  test('instructions are read with placeholders and changed without touching the rest', async () => {
    const before = (await world.ask('GET', 'templates/character/instructions', undefined, { as: null })).body;
    assert.match(before.instructions, /^Write a person/);
    assert.match(before.placeholders['voice.register'], /^\[Formal/);
    const [first, second] = before.sections;
    assert.deepEqual([first.heading, first.level, first.placeholders.length], ['First impression', 2, 1]);
    assert.match(first.placeholders[0], /^\[Two or three sentences.*speak\?\]$/);
    assert.equal(second.heading, 'Backstory');
    const put = await world.ask('PUT', 'templates/starship/instructions', {
      instructions: 'Make her creak.',
    });
    assert.equal(put.body.instructions, 'Make her creak.');
    const text = await world.read(CUSTOM);
    assert.match(text, /crew: 12 {6}# without passengers/);
    assert.match(text, /generation_instructions: .*Make her creak\./);
    assert.equal((await world.ask('PUT', 'templates/wizard/instructions', { instructions: '' })).status, 404);
  });

  test('instructions tell the headings of the body, and the brackets that ask something', async () => {
    const body = `[What is a bell?]

# Of bells

Ring [how often?] and [at which
hour?]. See [the guild](https://example.com), [[character:ada]], [1][notes], [^2] and \`[code]\`.

- [ ] cast
- [x] hung

\`\`\`
## no heading
[no question]
\`\`\`

### Of clappers ###
`;
    const content = templateText(
      withMetadata('entity_type: bell\nmarkdown_skeleton: "## Sound\\n\\n[Which note?]\\n"'),
      body,
    );
    assert.equal((await world.ask('PUT', 'templates/bell', { content })).status, 200);
    const { sections } = (await world.ask('GET', 'templates/bell/instructions')).body;
    assert.deepEqual(
      sections.map(({ heading, level, placeholders }: Record<string, unknown>) => [
        heading,
        level,
        placeholders,
      ]),
      [
        ['Sound', 2, ['[Which note?]']],
        [null, 0, ['[What is a bell?]']],
        ['Of bells', 1, ['[how often?]', '[at which hour?]']],
        ['Of clappers', 3, []],
      ],
    );
    assert.match(sections[2].text, /^Ring \[how often\?\]/);
  });

  test('a full disk or a read-only folder is said, and nothing changes', async () => {
    const { files } = world.project;
    for (const [code, status] of [
      ['no_space', 503],
      ['read_only', 409],
    ] as const) {
      files.write = async (path) => {
        throw new FilesError(code, path, `${path} cannot be written`);
      };
      const reply = await world.ask('PUT', 'templates/starship', { frontmatter: { crew: 1 } });
      assert.equal(reply.status, status);
      assert.match(reply.body.detail, /STARSHIP_TEMPLATE\.md/);
    }
    assert.equal((await findTemplateRows(world.project)).get('starship')?.version, 1);
  });

  test('only admins change templates', async () => {
    const content = templateText(withMetadata('entity_type: oracle'));
    for (const [as, status] of [
      [null, 401],
      ['viewer', 403],
      ['editor', 403],
      ['owner', 200],
    ] as const) {
      assert.equal((await world.ask('PUT', 'templates/oracle', { content }, { as })).status, status);
      assert.equal((await world.ask('POST', 'templates/reload', undefined, { as })).status, status);
    }
  });

  test('revisions of a template are listed like an entity’s', async () => {
    await world.ask('PUT', 'templates/starship', { frontmatter: { crew: 14 } });
    const row = (await findTemplateRows(world.project)).get('starship');
    const list = await opened.database
      .tenant('local')
      .read((db: Kysely<RecordTables>) => listRevisions(db, 'local', row?.row_id ?? 0, 10, 0));
    assert.deepEqual(
      list.map((one) => one.version),
      [1],
    );
  });

  test('a type may begin with a digit', async () => {
    const content = templateText(withMetadata('entity_type: 3d_model\npolygons: 0'));
    const reply = await world.ask('PUT', 'templates/3d_model', { content });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.equal((await world.ask('GET', 'schemas/3d_model')).status, 200);
  });
});
