import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from '../../test/support/properties.ts';
import { entitySearchText, parseSearchQuery, searchableText, searchTokens } from './search-text.ts';

function fullTextTable() {
  const database = new Database(':memory:');
  database.exec(`create virtual table texts using fts5(text, tokenize = "unicode61 remove_diacritics 2");
    create virtual table words using fts5vocab(texts, instance)`);
  return {
    index(text: string): void {
      database.exec('delete from texts');
      database.prepare('insert into texts(rowid, text) values (1, ?)').run(searchableText(text));
    },
    words: (): unknown[] => database.prepare('select term from words order by offset').pluck().all(),
    finds(query: string): boolean {
      const phrases = parseSearchQuery(query).map(
        ({ tokens, prefix }) => `"${tokens.join(' ')}"${prefix ? '*' : ''}`,
      );
      return (
        database.prepare('select 1 from texts where texts match ?').get(phrases.join(' AND ')) !== undefined
      );
    },
  };
}

test('ASCII stays as it is', () => {
  const text = 'The "Iron-Crown" (1887) <b>OR</b> don\'t_go\n';
  assert.equal(searchableText(text), text);
});

test('words are folded over scripts', () => {
  const cases: [string, string[]][] = [
    ['Éowyn Cafe\u0301 ÅNGSTRÖM', ['eowyn', 'cafe', 'angstrom']],
    ['Straße Łódź Æther Ørsted', ['strasse', 'lodz', 'aether', 'orsted']],
    ['ΟΔΥΣΣΕΥΣ Ὀδυσσεύς', ['οδυσσευσ', 'οδυσσευσ']],
    ['Ёлка ЙОД', ['елка', 'иод']],
    ['İstanbul ISPARTA', ['istanbul', 'isparta']],
    ['東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
    ['がかｶﾞ', ['が', 'か', 'ガ']],
    ['서울특별시 한강', ['서울특별시', '한강']],
    ['שָׁלוֹם', ['שלום']],
    ['ﬁne ① ²', ['fine', '1', '2']],
    ['soft\u00adhyphen zero—dash “quoted”…', ['softhyphen', 'zero', 'dash', 'quoted']],
    ['🚀rocket🚀 \ud800', ['rocket']],
    ["don't_stop 3.14", ['don', 't', 'stop', '3', '14']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(searchTokens(text), expected, text);
});

test('tokens are the words that SQLite indexes', () => {
  const table = fullTextTable();
  // SQLite treats New Tai Lue and these Vedic signs as marks, JavaScript as letters.
  const known = fc.string({ unit: 'grapheme' }).filter((text) => !/[\u19b0-\u19c9\u1cf2\u1cf3]/.test(text));
  fc.assert(
    fc.property(known, (text) => {
      table.index(text);
      assert.deepEqual(table.words(), searchTokens(text));
    }),
    { numRuns: 500 },
  );
});

test('any word, its beginning, and any run of words finds the text that holds them', () => {
  const table = fullTextTable();
  const word = fc.constantFrom(
    'Éowyn',
    'crown',
    '東京',
    'がく',
    'Straße',
    '서울',
    'C++',
    'OR',
    'NEAR(',
    '"',
    "O'Neil",
    '*',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (words, at, length) => {
      const text = words.join(' ');
      table.index(text);
      const start = at % words.length;
      const part = words.slice(start, start + 1 + (length % words.length)).join(' ');
      if (searchTokens(part).length === 0) return;
      assert.ok(table.finds(part), part);
      assert.ok(table.finds(`"${part.replaceAll('"', '')}"`) || searchTokens(part).length === 0, `"${part}"`);
      const beginning = searchTokens(part)[0]?.slice(0, 2) ?? '';
      assert.ok(table.finds(beginning), beginning);
    }),
  );
});

test('queries become phrases, punctuation is literal', () => {
  assert.deepEqual(parseSearchQuery('iron  Cro'), [
    { tokens: ['iron'], prefix: true },
    { tokens: ['cro'], prefix: true },
  ]);
  assert.deepEqual(parseSearchQuery('"Iron Crown" x'), [
    { tokens: ['iron', 'crown'], prefix: false },
    { tokens: ['x'], prefix: true },
  ]);
  assert.deepEqual(parseSearchQuery('"iron cr'), [
    { tokens: ['iron'], prefix: true },
    { tokens: ['cr'], prefix: true },
  ]);
  assert.deepEqual(parseSearchQuery('well-known NOT* (a:b)'), [
    { tokens: ['well', 'known'], prefix: true },
    { tokens: ['not'], prefix: true },
    { tokens: ['a', 'b'], prefix: true },
  ]);
  assert.deepEqual(parseSearchQuery(' "" - * '), []);
});

test('all values of an entity are searched, at any depth, and no keys', () => {
  const text = entitySearchText({
    name: 'Ádá',
    fields: { mood: 'calm', year: 1887, armed: true, none: null, hull: { parts: ['oak', { nail: 'iron' }] } },
    markdown_body: 'Böses',
  });
  assert.deepEqual(text, { name: 'ada', fields: 'calm\n1887\noak\niron', body: 'Boses' });
});

test('a word is cut after 200 characters wherever it stands', () => {
  for (let before = 0; before < 210; before += 1) {
    const words = `${'a '.repeat(before % 7)}${'b'.repeat(before)} ${'c'.repeat(201)}, d ${'e'.repeat(200)}.`;
    const lengths = searchTokens(words).map(({ length }) => length);
    assert.deepEqual(lengths.slice(-3), [200, 1, 200]);
    assert.equal(Math.max(...lengths), 200);
  }
});
