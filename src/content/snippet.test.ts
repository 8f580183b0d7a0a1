import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchQuery } from './search-text.ts';
import { bestSnippet, snippetOf } from './snippet.ts';

/** The text with its ranges in brackets. */
function marked(text: string, query: string): string {
  const snippet = snippetOf(text, parseSearchQuery(query));
  return snippet.ranges.reduceRight(
    (all, [start, end]) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`,
    snippet.text,
  );
}

test('matches are marked as the search finds them', () => {
  assert.equal(marked('Mira reads the tide tables', 'tide mir'), '[Mira] reads the [tide] tables');
  assert.equal(marked('Élodie O’Brien-Smith', 'elodie "brien smith"'), '[Élodie] O’[Brien-Smith]');
  assert.equal(marked('東京タワーへ', '京タ'), '東[京タ]ワーへ');
  assert.equal(marked('Straße und STRASSE', 'strasse'), '[Straße] und [STRASSE]');
  assert.equal(marked('the tide, the tides', '"tide"'), 'the [tide], the tides');
  assert.equal(marked('nothing here', 'tide'), 'nothing here');
});

test('a snippet has at most 200 characters around the first match', () => {
  const long = `${'before '.repeat(100)}the tide\nturns ${'after '.repeat(100)}`;
  const snippet = snippetOf(long, parseSearchQuery('tide'));
  assert.ok(snippet.text.length <= 200, String(snippet.text.length));
  assert.match(snippet.text, /^…before .* the tide turns after .*…$/);
  assert.deepEqual(
    snippet.ranges.map(([start, end]) => snippet.text.slice(start, end)),
    ['tide'],
  );
  const unbroken = snippetOf('𝒳'.repeat(300), parseSearchQuery('tide'));
  assert.ok(unbroken.text.isWellFormed() && unbroken.text.length <= 200);
  const late = snippetOf(`${'𝒳'.repeat(301)} tide ${'𝒳'.repeat(300)}`, parseSearchQuery('tide'));
  assert.ok(late.text.isWellFormed() && late.text.length <= 200);
  assert.equal(late.text.slice(...(late.ranges[0] ?? [0, 0])), 'tide');
});

test('the text with the most words wins, fields before the body', () => {
  const entity = {
    fields: { job: 'reader', arc: { beginning: ['a tide', 'the tide reader'] }, age: 31 },
    markdown_body: 'The tide reader.',
  };
  const fieldOf = (query: string) => bestSnippet(entity, parseSearchQuery(query)).field;
  assert.equal(fieldOf('tide reader'), 'arc.beginning');
  assert.equal(fieldOf('reader'), 'job');
  assert.equal(fieldOf('31'), 'age');
  assert.equal(fieldOf('the'), 'arc.beginning');
  const none = bestSnippet(entity, parseSearchQuery('elsewhere'));
  assert.deepEqual(none, { field: 'markdown_body', text: 'The tide reader.', ranges: [] });
});

test('of very long fields the first 200,000 characters are looked at, in all', () => {
  const fields = { first: 'before '.repeat(20_000), second: 'between '.repeat(20_000), third: 'the tide' };
  const { field } = bestSnippet({ fields, markdown_body: 'No tide.' }, parseSearchQuery('tide'));
  assert.equal(field, 'markdown_body');
});

test('a phrase that comes late counts, and all matches that are shown are marked', () => {
  const text = `the tide, the tide ${'and then '.repeat(500)} salt road`;
  const entity = { fields: { job: 'tide', notes: text }, markdown_body: '' };
  const { field, ranges } = bestSnippet(entity, parseSearchQuery('tide "salt road"'));
  assert.deepEqual([field, ranges.length], ['notes', 2]);
});
