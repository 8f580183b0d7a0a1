import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachDatabase, type OpenedDatabase } from '../../../../test/support/databases.ts';
import { type TemplatesWorld, templatesWorld, templateText } from '../../../../test/support/templates.ts';
import { checksumOf } from '../../../kit/crypto.ts';
import { findTemplateRows } from './templates.store.ts';

const STARSHIP = templateText(`
# The pride of the fleet
entity_type: starship
label: Starship
template_version: "1.4" # bumped by hand so far
last_updated: "2025-01-01"
name: "[What the crew calls her]"
crew: 12      # without passengers
drive: {kind: fold, range: 3}
`);
const CUSTOM = 'Custom/STARSHIP_TEMPLATE.md';
const BROKEN = '---\nentity_type: starship\nname: [oops\n---\n';

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let world: TemplatesWorld;
  before(async () => {
    opened = await open();
    world = await templatesWorld(opened.database);
  });
  after(async () => {
    await world.close();
    await opened.close();
  });

  test('the starter templates are listed with fields, to anyone', async () => {
    const { status, body } = await world.ask('GET', 'templates', undefined, { as: null });
    assert.equal(status, 200);
    assert.equal(body.templates.length, 16);
    assert.deepEqual(body.problems, []);
    const character = body.templates.find((one: { entity_type: string }) => one.entity_type === 'character');
    assert.equal(character.name, 'CHARACTER_TEMPLATE');
    const types = Object.fromEntries(
      character.fields.map((field: { name: string; type: string }) => [field.name, field.type]),
    );
    assert.equal(types.birth_year, 'number');
    assert.equal(types.stats, 'object');
    assert.equal(types.template_version, undefined);
    const { entity_types } = (await world.ask('GET', 'templates/entity-types')).body;
    const biome = entity_types.find((one: { entity_type: string }) => one.entity_type === 'biome');
    assert.equal(biome.folder_name, 'Biomes');
    assert.equal(biome.file_prefix, 'BIO_');
  });

  test('schemas are the same under both addresses and carry widgets', async () => {
    const one = (await world.ask('GET', 'schemas/character', undefined, { as: null })).body;
    assert.equal(one.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.equal(one.properties.birth_year['x-widget'], 'year');
    assert.deepEqual((await world.ask('GET', 'entity/character/schema')).body, one);
    assert.deepEqual((await world.ask('GET', 'schemas')).body.schemas.character, one);
    const unknown = await world.ask('GET', 'schemas/wizard');
    assert.equal(unknown.status, 404);
    assert.match(unknown.body.detail, /character/);
  });

  test('a file dropped in is a new type after a reload, and gone with its file', async () => {
    await world.put(CUSTOM, STARSHIP);
    const reload = (await world.ask('POST', 'templates/reload')).body;
    assert.deepEqual(
      [reload.added, reload.changed, reload.removed, reload.total],
      [['starship'], [], [], 17],
    );
    assert.equal((await world.ask('GET', 'entity/starship/schema')).status, 200);
    await world.remove(CUSTOM);
    assert.deepEqual((await world.ask('POST', 'templates/reload')).body.removed, ['starship']);
    assert.equal((await world.ask('GET', 'entity/starship/schema')).status, 404);
    for (const name of ['..%2fx', '%2e%2e%2f%2e%2e%2fREADME.md', 'a%2fb', '-', 'x'.repeat(65)])
      assert.equal((await world.ask('GET', `templates/${name}`)).status, 404, name);
    assert.equal((await findTemplateRows(world.project)).has('starship'), false);
  });

  test('custom replaces standard replaces core, as a whole', async () => {
    const source = async () => {
      await world.ask('POST', 'templates/reload');
      return (await world.ask('GET', 'templates/faction')).body.definition.source;
    };
    const own = templateText('entity_type: faction\nfolder_name: Factions\nmotto: ""');
    await world.put('Core/FACTION_TEMPLATE.md', own);
    assert.equal(await source(), 'standard');
    await world.put('Custom/FACTION_TEMPLATE.md', own);
    assert.equal(await source(), 'custom');
    const { definition } = (await world.ask('GET', 'templates/FACTION_TEMPLATE.md')).body;
    assert.deepEqual(
      definition.fields.map((field: { name: string }) => field.name),
      ['motto'],
    );
    await world.remove('Custom');
    assert.equal(await source(), 'standard');
    await world.remove('Core');
    assert.equal(await source(), 'standard');
  });

  test('a broken template is reported with its line and keeps its last good definition, over a restart too', async () => {
    await world.put(CUSTOM, STARSHIP);
    await world.ask('POST', 'templates/reload');
    await world.put(CUSTOM, BROKEN);
    await world.put('Custom/ORACLE_TEMPLATE.md', templateText('entity_type: oracle'));
    const { body } = await world.ask('POST', 'templates/reload');
    assert.deepEqual([body.added, body.removed, body.total], [['oracle'], [], 18]);
    assert.equal(body.problems[0].path, `_Templates/${CUSTOM}`);
    assert.equal(body.problems[0].line, 4);
    assert.match(body.problems[0].reason, /last good definition stays/);
    assert.ok(world.warnings.some((line) => line.includes(`_Templates/${CUSTOM}:4`)));

    const again = await world.restarted().of(world.project);
    assert.equal(again.types.get('starship')?.template_version, '1.4');

    const read = (await world.ask('GET', 'templates/starship')).body;
    assert.equal(read.content, BROKEN);
    assert.equal(read.is_valid, false);
    assert.equal(read.definition.entity_type, 'starship');
    await world.remove('Custom');
    await world.ask('POST', 'templates/reload');
  });

  test('a type that another process took is known when it is asked for', async () => {
    const other = world.restarted();
    assert.equal((await other.of(world.project)).types.size, 16);
    await world.put(CUSTOM, STARSHIP);
    await world.ask('POST', 'templates/reload');
    assert.equal((await other.knowing(world.project, ['character'])).types.size, 16);
    assert.equal((await other.knowing(world.project, ['character', 'starship'])).types.size, 17);
    await world.put('Custom/ORACLE_TEMPLATE.md', templateText('entity_type: oracle'));
    await world.ask('POST', 'templates/reload');
    const late = await other.upToDate(world.project);
    assert.equal(late.types.size, 18);
    assert.equal(await other.upToDate(world.project), late);
    await world.remove('Custom');
    await world.ask('POST', 'templates/reload');
  });

  test('a template folder that vanished or is empty takes no type away', async () => {
    const standard = await world.read('Standard/ITEM_TEMPLATE.md');
    const all = await Promise.all(
      (await world.ask('GET', 'templates')).body.templates.map(async ({ path }: { path: string }) => {
        const name = path.replace('_Templates/', '');
        return [name, await world.read(name)] as const;
      }),
    );
    await world.remove('.');
    const { body } = await world.ask('POST', 'templates/reload');
    assert.deepEqual([body.removed, body.total], [[], 16]);
    assert.match(body.problems[0].reason, /no templates .* stay in force/);
    assert.equal((await world.restarted().of(world.project)).types.size, 16);
    for (const [name, text] of all) await world.put(name, text);
    await world.ask('POST', 'templates/reload');
    assert.equal((await world.ask('GET', 'templates/item')).body.content, standard);
  });

  test('each type has a row that holds its file, and only a change makes a new version', async () => {
    const before = await findTemplateRows(world.project);
    assert.equal(before.size, 16);
    await world.registry.reload(world.project);
    assert.deepEqual(await findTemplateRows(world.project), before);
    const path = 'Standard/QUEST_TEMPLATE.md';
    const text = `${await world.read(path)}\nOne more line.\n`;
    await world.put(path, text);
    const changes: unknown[] = [];
    world.registry.onChange((_project, change) => void changes.push(change));
    await Promise.all([1, 2, 3].map(() => world.registry.reload(world.project)));
    assert.deepEqual(changes, [{ added: [], removed: [], changed: ['quest'] }]);
    const quest = (await findTemplateRows(world.project)).get('quest');
    assert.equal(quest?.version, (before.get('quest')?.version ?? 0) + 1);
    assert.equal(quest?.file_checksum, checksumOf(text));
    assert.deepEqual([quest?.source, quest?.updated_by], ['file', null]);
  });

  test('what follows from a change is tried again when it failed', async () => {
    let calls = 0;
    world.registry.onChange(() => {
      calls += 1;
      if (calls === 1) throw new Error('not now');
    });
    await world.put(CUSTOM, STARSHIP);
    await assert.rejects(world.registry.reload(world.project), /not now/);
    await world.registry.reload(world.project);
    await world.registry.reload(world.project);
    assert.equal(calls, 2);
    await world.remove('Custom');
    await world.registry.reload(world.project);
  });

  test('a listener may ask for the templates while they are first read', async () => {
    await world.put('Standard/JOB_TEMPLATE.md', `${await world.read('Standard/JOB_TEMPLATE.md')}\nMore.\n`);
    const registry = world.restarted();
    const seen: number[] = [];
    registry.onChange(async (project) => void seen.push((await registry.of(project)).types.size));
    assert.equal(registry.current(world.project), undefined);
    await registry.of(world.project);
    assert.deepEqual(seen, [16]);
  });
});
