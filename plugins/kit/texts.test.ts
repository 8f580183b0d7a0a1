import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, numbers } from './texts.ts';

test('the first language that there are texts for', () => {
  assert.equal(languageOf(['de-AT', 'en']), 'de');
  assert.equal(languageOf(['fr', 'EN-gb', 'de']), 'en');
  assert.equal(languageOf(['fr']), 'en');
});

test('numbers are written as the language does', () => {
  assert.equal(numbers('de')(1234.5), '1.234,5');
  assert.equal(numbers('en')(1234.5), '1,234.5');
});
