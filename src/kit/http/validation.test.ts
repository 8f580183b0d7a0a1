import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { HttpError } from '../errors.ts';
import { createValidator } from './validation.ts';

test('a text may have as many characters as its schema says, also of those that are two units', () => {
  const check = createValidator(Type.Object({ name: Type.String({ maxLength: 3 }) }), 'body');
  for (const name of ['', 'abc', '🌊🌊🌊', 'a🌊b']) check({ name });
  for (const name of ['abcd', '🌊🌊🌊🌊', 'abc🌊', 'a'.repeat(100_000)])
    assert.throws(
      () => check({ name }),
      (error) =>
        error instanceof HttpError &&
        error.status === 422 &&
        error.message === "body field 'name' must NOT have more than 3 characters",
    );
});

test('what is too long is said before what it does not look like', () => {
  const check = createValidator(Type.String({ maxLength: 3, pattern: '^[a-z]+$' }), 'body');
  assert.throws(() => check('ABCD'), /more than 3 characters/);
});
