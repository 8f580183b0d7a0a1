import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCTION_STATUS_SCHEMA, productionStatusFaults } from './production-status.ts';

/** Spec 1 §2.2. */
const WORDS = {
  general: ['concept', 'in_progress', 'needs_work', 'narrative_done', 'art_done', 'complete'],
  game_platform: ['none', 'planned', 'in_progress', 'review', 'published', 'live'],
  tv_showrunner: ['none', 'planned', 'in_progress', 'review', 'episode', 'current', 'archived'],
};

const told = (value: unknown) =>
  productionStatusFaults(value).map(({ code, field, message }) => `${code} ${field} ${message}`);

test('a production status may hold the words of the specification, notes, or nothing', () => {
  for (const nothing of [undefined, null, '', {}]) assert.deepEqual(told(nothing), []);
  for (const [key, words] of Object.entries(WORDS))
    for (const word of [...words, '', null]) assert.deepEqual(told({ [key]: word }), [], word ?? 'null');
  assert.deepEqual(told({ notes: 'any text' }), []);
  const { properties } = PRODUCTION_STATUS_SCHEMA;
  assert.deepEqual(properties, {
    ...Object.fromEntries(
      Object.entries(WORDS).map(([key, words]) => [
        key,
        { type: ['string', 'null'], enum: [...words, '', null] },
      ]),
    ),
    notes: { type: ['string', 'null'] },
  });
});

test('what else it holds is told by key', () => {
  assert.deepEqual(told('done'), [
    'wrong_type production_status must be a mapping of general, game_platform, tv_showrunner, notes, is "done"',
  ]);
  assert.deepEqual(told({ general: 'complet', game_platform: 5, notes: [1], genral: 'x', toString: 'x' }), [
    `unknown_status production_status.general must be one of ${WORDS.general.join(', ')}, is "complet" (did you mean 'complete'?)`,
    `unknown_status production_status.game_platform must be one of ${WORDS.game_platform.join(', ')}, is 5`,
    'wrong_type production_status.notes must be text, is [1]',
    "unknown_key production_status.genral is not one of the keys general, game_platform, tv_showrunner, notes (did you mean 'general'?)",
    'unknown_key production_status.toString is not one of the keys general, game_platform, tv_showrunner, notes',
  ]);
  assert.ok(told('x'.repeat(500))[0]?.endsWith(`is "${'x'.repeat(59)}`));
});
