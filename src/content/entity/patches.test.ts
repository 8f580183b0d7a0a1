import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTemplate } from '../template/index.ts';
import { assetPathFault, entityDataEdit, keyBefore, unknownFields, withWholeMaps } from './index.ts';

const parsed = parseTemplate({
  path: '_Templates/Standard/SHIP_TEMPLATE.md',
  text: `---
entity_type: ship
summary: ""
speed: 3
crew: [{ rank: "", since: 1 }]
hold: { tons: 1, deck: { planks: 1, kind: "" } }
open: {}
---
`,
});
assert.ok(parsed.ok);
const SHIP = parsed.template;

describe('maps in a change', () => {
  const merged = (fields: Record<string, unknown>, data: Record<string, unknown>) =>
    withWholeMaps(SHIP, data, { fields }).fields;

  it('are merged key by key where the template types them', () => {
    const data = { hold: { tons: 1, own: 1, deck: { planks: 2, kind: 'oak' } }, open: { a: 1 }, crew: [1] };
    assert.deepEqual(merged({ hold: { deck: { planks: 3 }, own: null, new: 5 } }, data), {
      hold: { tons: 1, deck: { planks: 3, kind: 'oak' }, new: 5 },
    });
    assert.deepEqual(merged({ hold: { deck: null, tons: [2] } }, data), { hold: { tons: [2], own: 1 } });
    assert.deepEqual(merged({ open: { b: 2 }, crew: [2], hold: 7, speed: null }, data), {
      open: { b: 2 },
      crew: [2],
      hold: 7,
      speed: null,
    });
    for (const hold of [undefined, null, 'text', [1]])
      assert.deepEqual(merged({ hold: { tons: 2, deck: { planks: 1 } } }, { hold }), {
        hold: { tons: 2, deck: { planks: 1 } },
      });
    assert.deepEqual(data.hold, { tons: 1, own: 1, deck: { planks: 2, kind: 'oak' } });
  });

  it('are replaced where the change says so, at any depth', () => {
    const data = { hold: { tons: 1, deck: { planks: 2 } } };
    assert.deepEqual(merged({ hold: { $replace: { tons: 2 } } }, data), { hold: { tons: 2 } });
    assert.deepEqual(merged({ hold: { deck: { $replace: {} } } }, data), { hold: { tons: 1, deck: {} } });
    assert.deepEqual(merged({ open: { $replace: { a: null } } }, data), { open: { a: null } });
    assert.deepEqual(merged({ open: { $replace: {}, b: 1 } }, data), { open: { $replace: {}, b: 1 } });
    assert.deepEqual(merged({ open: { $replace: 5 } }, data), { open: { $replace: 5 } });
  });

  it('of the production status are merged too, and the rest of the change stays', () => {
    const data = { production_status: { general: 'concept', notes: 'x' } };
    const patch = { production_status: { notes: null, game_platform: 'live' }, name: 'N' };
    assert.deepEqual(withWholeMaps(SHIP, data, patch), {
      name: 'N',
      production_status: { general: 'concept', game_platform: 'live' },
    });
    for (const production_status of [null, undefined, 'x'])
      assert.deepEqual(withWholeMaps(SHIP, data, { production_status }), { production_status });
  });
});

describe('fields that the template does not know', () => {
  const told = (fields: Record<string, unknown>) =>
    unknownFields(SHIP, fields).map(({ field, path, message }) => {
      assert.equal(path.join('.'), field);
      return `${field} ${message}`;
    });
  const unknown = (field: string, near = '') =>
    `${field} is not a field of the template for ship${near}; it is kept as it is`;

  it('are told at any depth, with what may be meant', () => {
    const fields = {
      sumary: 1,
      name: 'x',
      last_updated: 1,
      statu: 1,
      zzz: 1,
      crew: [{ rnak: 1 }, 5, { rank: 1 }],
      hold: { deck: { plank: 1 }, x: 1, tons: { any: 1 } },
      open: { any: 1 },
    };
    assert.deepEqual(told(fields), [
      unknown('sumary', " (did you mean 'summary'?)"),
      unknown('statu', " (did you mean 'status'?)"),
      unknown('zzz'),
      unknown('crew.0.rnak', " (did you mean 'rank'?)"),
      unknown('hold.deck.plank', " (did you mean 'planks'?)"),
      unknown('hold.x'),
    ]);
    assert.deepEqual(told({ sumary: 2 }), [unknown('sumary', " (did you mean 'summary'?)")]);
    assert.deepEqual(told({ crew: 'text', hold: 5, summary: { a: 1 } }), []);
  });

  it('fifty at most', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 1]));
    for (const fields of [many, { hold: many }, { hold: many, ...many }])
      assert.equal(told(fields).length, 50);
  });
});

describe('the path of an asset', () => {
  it('leads below the folder, or to an address', () => {
    for (const path of ['images/a.png', 'https://x/../a.png', 'HTTP://x/a.png', 'a/..b', 'a..b/c'])
      assert.equal(assetPathFault(path), null, path);
    const message = "must be a path below the entity's folder or the project, such as images/portrait.png";
    for (const path of ['../a.png', 'a\\..\\b', '/a', '\\a', 'C:\\a', 'http:a', 'data:x', 'a/..'])
      assert.equal(assetPathFault(path), message, path);
  });
});

describe('an edit of the data of an entity', () => {
  const today = '2026-01-02';

  it('sets what differs, each under the key of the file and at its place', () => {
    const data = { id: 'a', title: 'Old', summary: 's', primary_image: 'a.png', last_updated: 'x', speed: 3 };
    const patch = {
      today,
      name: 'New',
      status: 'active',
      primary_asset: 'b.png',
      fields: { zzz: 1, hold: {}, speed: 3 },
    };
    const { set, after } = entityDataEdit(SHIP, data, patch);
    assert.deepEqual(set, {
      status: 'active',
      hold: {},
      title: 'New',
      primary_image: 'b.png',
      zzz: 1,
      last_updated: today,
    });
    assert.deepEqual(after, { status: 'id', hold: 'speed' });
    assert.deepEqual(Object.keys(set).slice(0, 2), ['status', 'hold']);
  });

  it('is none where nothing differs', () => {
    const data = { name: 'A', last_updated: 'x', speed: 3 };
    const patch = { today, name: 'A', primary_asset: null, production_status: null, fields: { speed: 3 } };
    assert.deepEqual(entityDataEdit(SHIP, data, patch), { set: {}, after: {} });
    assert.deepEqual(entityDataEdit(SHIP, data, { today, fields: { crew: null } }).set, {
      crew: null,
      last_updated: today,
    });
    assert.deepEqual(entityDataEdit(SHIP, { name: 'A' }, { today, name: 'B' }).set, { name: 'B' });
  });

  it('knows the key before a new one', () => {
    const before = (key: string, data: object) => keyBefore(SHIP, data as Record<string, unknown>, key);
    assert.equal(before('crew', { id: 'a', summary: 's', hold: {} }), 'summary');
    assert.equal(before('id', { summary: 's' }), undefined);
    assert.equal(before('zzz', { id: 'a' }), undefined);
    assert.equal(before('summary', { entity_type: 'x', id: 'a' }), 'entity_type');
  });
});
