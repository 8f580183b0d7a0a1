import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createLocalScanner } from '../../platform/files/adapters/local-scanner.ts';
import { examineProject } from '../doctor/examine.ts';
import type { RecordsDb } from '../records/records.tables.ts';

const RULES = '_Rules/LOCATION_RULES.md';

/** Fields of the template, fields known only to the rule, lists, and their items. */
const rulesText = (severity: string) => `---
rules:
  - id: people_exist
    severity: ${severity}
    validation_type: reference_exists
    reference_type: character
    applies_to: [notable_residents, haunted_by, "nights[].guest"]
    description: Nobody lives here.
  - id: something_exists
    severity: ${severity}
    validation_type: reference_exists
    applies_to: relic
    description: Nothing lies here.
---
`;

const PLACE = `---
id: inn
name: Inn
notable_residents: [ada]
haunted_by: ada
nights:
  - { guest: ada, year: 3 }
  - { guest: { id: ada } }
---

Rooms.
`;
const ALL_MISSING = [
  ['haunted_by', 'people_exist', 5],
  ['nights.0.guest', 'people_exist', 7],
  ['nights.1.guest.id', 'people_exist', 8],
  ['notable_residents.0', 'people_exist', 4],
];
const ADA = '---\nid: ada\nname: Ada\n---\n\nA life.\n';
const ADA_PATH = 'Characters/ada/CH_ada.md';
const MANY = 320;

interface EntityReply {
  is_valid: boolean;
  version: number;
  validation_errors: { field: string; code: string; rule_id: string; line: number; message: string }[];
}

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'templates' });
    rmSync(join(core.contentDir, '_Rules'), { recursive: true, force: true });
    put(RULES, rulesText('error'));
    put('Locations/inn/LOC_inn.md', PLACE);
    await sync();
  });
  afterEach(async () => {
    await doctorIsContent();
    await core.close();
  });

  const put = (path: string, text: string) => {
    const target = join(core.contentDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const ok = async (method: string, url: string, body?: object) => {
    const reply = await core.call<Record<string, unknown>>(method, url, body && { body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const sync = () => ok('POST', '/api/sync/refresh-all');
  const place = async (id = 'inn') =>
    (await core.call<EntityReply>('GET', `/api/entity/location/${id}`)).body;
  const missing = async (id?: string) => {
    const { is_valid, validation_errors } = await place(id);
    assert.equal(is_valid, validation_errors.length === 0);
    return validation_errors.map(({ field, rule_id, line }) => [field, rule_id, line]).sort();
  };
  const createAda = () => ok('POST', '/api/entity/character', { entity_id: 'ada', name: 'Ada' });
  const doctorIsContent = async () => {
    const [project] = core.projects.opened();
    assert.ok(project);
    const scanner = createLocalScanner({ root: core.contentDir });
    const set = await core.templates.of(project);
    assert.deepEqual(await examineProject({ project, scanner, set }, async () => {}), []);
  };

  test('an entity is invalid while what it must refer to is missing: in fields, lists and within', async () => {
    assert.deepEqual(await missing(), ALL_MISSING);
    const [first] = (await place()).validation_errors;
    assert.equal(first?.code, 'rule');
    assert.match(first?.message ?? '', /names the character "ada", which does not exist\. Nobody lives here/);
    await createAda();
    assert.deepEqual(await missing(), []);
    assert.equal((await place()).version, 1);
  });

  test('it follows when the target is deleted, restored, renamed and brought back by undo', async () => {
    await createAda();
    const { recycle_item_id } = await ok('DELETE', '/api/entity/character/ada');
    assert.deepEqual(await missing(), ALL_MISSING);
    const { items } = (await ok('GET', '/api/recycle-bin')) as { items: { item_id: string }[] };
    await ok('POST', `/api/recycle-bin/${items[0]?.item_id ?? recycle_item_id}/restore`);
    assert.deepEqual(await missing(), []);
    const renamed = { entity_type: 'character', old_id: 'ada', new_id: 'ada_vale' };
    const { operation } = (await ok('POST', '/api/rename-entity', renamed)) as {
      operation: { operation_id: string };
    };
    assert.deepEqual(await missing(), []);
    assert.equal((await place()).version, 2, 'references that only a rule knows are renamed too');
    await ok('POST', `/api/operations/${operation.operation_id}/undo`);
    assert.deepEqual(await missing(), []);
    assert.equal((await core.call('GET', '/api/entity/character/ada')).status, 200);
  });

  test('an entity of another type is not meant, but any will do where no type is named', async () => {
    await ok('POST', '/api/entity/item', { entity_id: 'ada', name: 'A lamp called Ada' });
    assert.equal((await missing()).length, 4);
    await ok('PUT', '/api/entity/location/inn', {
      fields: { relic: 'lamp', notable_residents: [], haunted_by: '', nights: [] },
    });
    assert.deepEqual(
      (await missing()).map(([field]) => field),
      ['relic'],
    );
    await ok('POST', '/api/entity/item', { entity_id: 'lamp', name: 'Lamp' });
    assert.deepEqual(await missing(), []);
    await ok('DELETE', '/api/entity/item/lamp');
    assert.equal((await missing()).length, 1);
  });

  test('a save is answered with what is missing', async () => {
    const saved = await core.call<EntityReply>('PUT', '/api/entity/location/inn', {
      body: { fields: { nights: [], haunted_by: '', notable_residents: ['bo'] } },
    });
    assert.deepEqual(
      [saved.status, saved.body.is_valid, saved.body.validation_errors.length],
      [200, false, 1],
    );
    await ok('POST', '/api/entity/character', { entity_id: 'bo', name: 'Bo' });
    assert.deepEqual(await missing(), []);
  });

  test('it follows files that are added, given another id and removed in the folder', async () => {
    put(ADA_PATH, ADA);
    await sync();
    assert.deepEqual(await missing(), []);
    put(ADA_PATH, ADA.replace('id: ada', 'id: bo'));
    await sync();
    assert.deepEqual(await missing(), ALL_MISSING);
    put(ADA_PATH, ADA);
    await ok('POST', '/api/entity/sync/character');
    assert.deepEqual(await missing(), []);
    rmSync(join(core.contentDir, 'Characters/ada'), { recursive: true });
    await sync();
    assert.deepEqual(await missing(), ALL_MISSING);
  });

  test('it follows its rules', async () => {
    put(RULES, rulesText('warning'));
    await sync();
    assert.deepEqual(await missing(), []);
    put(RULES, rulesText('error'));
    await sync();
    assert.deepEqual(await missing(), ALL_MISSING);
    rmSync(join(core.contentDir, RULES));
    await sync();
    assert.deepEqual(await missing(), []);
  });

  test('all referrers of a full import that come before their targets are valid at its end, and follow', async () => {
    for (let index = 0; index < MANY; index += 1) {
      const id = `a_place_${index}`;
      put(`Locations/${id}/LOC_${id}.md`, `---\nid: ${id}\nname: Place\nhaunted_by: zoe_${index}\n---\n`);
      put(`Characters/zoe_${index}/CH_zoe_${index}.md`, `---\nid: zoe_${index}\nname: Zoe\n---\n`);
    }
    await sync();
    const invalid = async () => {
      let total = 0;
      for (let index = 0; index < MANY; index += 1)
        if (!(await place(`a_place_${index}`)).is_valid) total += 1;
      return total;
    };
    assert.equal(await invalid(), 0);
    rmSync(join(core.contentDir, 'Characters/zoe_7'), { recursive: true });
    await sync();
    assert.equal(await invalid(), 1);
  });

  test('more referrers than somebody waits for follow behind', async () => {
    for (let index = 0; index < MANY; index += 1) {
      const id = `a_place_${index}`;
      put(`Locations/${id}/LOC_${id}.md`, `---\nid: ${id}\nname: Place\nhaunted_by: ada\n---\n`);
    }
    await sync();
    await createAda();
    const late = async () => {
      for (let index = 0; index < MANY; index += 1)
        if (!(await place(`a_place_${index}`)).is_valid) return true;
      return false;
    };
    while (await late()) await turn();
  });

  test('the next full sync mends what a stopped process left behind', async () => {
    const leave = (isValid: 0 | 1) =>
      core.database.system.write((db: RecordsDb) =>
        db.updateTable('entities').set({ is_valid: isValid }).where('entity_id', '=', 'inn').execute(),
      );
    await leave(1);
    await sync();
    await doctorIsContent();
    await createAda();
    await leave(0);
    await sync();
  });
});
