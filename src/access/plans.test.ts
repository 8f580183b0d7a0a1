import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORE_TYPES, findStarterPack, STARTER_PACKS } from '../content/packs.ts';
import {
  fitsLimit,
  isPlanName,
  isRole,
  PLAN_NAMES,
  PLANS,
  permissionsOf,
  ROLES,
  roleAllows,
} from './plans.ts';

test('limits by plan', () => {
  const table = PLAN_NAMES.map((name) => {
    const { tier, entities_limit, activation_limit, credits_monthly } = PLANS[name];
    return [name, tier, entities_limit, activation_limit, credits_monthly];
  });
  assert.deepEqual(table, [
    ['free', 0, 100, 5, 100],
    ['indie', 10, 5000, 15, 500],
    ['team', 20, -1, -1, 750],
    ['enterprise', 30, -1, -1, -1],
  ]);
  assert.deepEqual([isPlanName('team'), isPlanName('gold'), isPlanName('toString')], [true, false, false]);
});

test('a limit is reached when nothing more fits', () => {
  assert.deepEqual([fitsLimit(100, 99), fitsLimit(100, 100), fitsLimit(-1, 1e9)], [true, false, true]);
  assert.deepEqual([fitsLimit(5, 3, 2), fitsLimit(5, 3, 3)], [true, false]);
});

test('roles include the roles below them', () => {
  const allowed = ROLES.map((role) => ROLES.filter((needed) => roleAllows(role, needed)));
  assert.deepEqual(allowed, [
    ['viewer'],
    ['viewer', 'editor'],
    ['viewer', 'editor', 'admin'],
    ['viewer', 'editor', 'admin', 'owner'],
  ]);
  assert.deepEqual([isRole('admin'), isRole('root')], [true, false]);
});

test('a role may do what the roles below it may, and more', () => {
  const [viewer = [], editor = [], admin = [], owner = []] = ROLES.map(permissionsOf);
  assert.deepEqual(viewer, ['read_content']);
  assert.ok(editor.includes('edit_entities') && !editor.includes('invite_users'));
  assert.ok(admin.includes('invite_users') && !admin.includes('delete_tenant'));
  assert.ok(owner.includes('delete_tenant'));
  for (const [less, more] of [
    [viewer, editor],
    [editor, admin],
    [admin, owner],
  ] as const)
    assert.ok(less.length < more.length && less.every((permission) => more.includes(permission)));
});

test('starter packs hold types that need activation, each once', () => {
  assert.deepEqual(findStarterPack('core-essentials')?.types, ['character', 'location', 'item', 'biome']);
  assert.equal(findStarterPack('nothing'), undefined);
  assert.equal(new Set(STARTER_PACKS.map(({ pack_id }) => pack_id)).size, 10);
  for (const { pack_id, types } of STARTER_PACKS) {
    assert.equal(new Set(types).size, types.length, pack_id);
    assert.ok(!types.some((type) => CORE_TYPES.includes(type)), pack_id);
  }
});
