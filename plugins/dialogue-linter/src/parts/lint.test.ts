import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lintEntry } from './lint-entry.ts';
import { readSettings } from './settings.ts';

const lint = (markdown_body: string, settings = {}, fields = {}, name = 'Mira Vale') =>
  lintEntry({ name, fields, markdown_body }, readSettings(settings));
const told = (text: string, settings = {}, fields = {}) =>
  lint(text, settings, fields).map(({ message }) => message);

describe('what is right', () => {
  for (const [name, text] of [
    ['english', '“Come in,” said Mira. “It’s cold.”\n\n“Really?” he asked.'],
    ['straight', '"Come in," said Mira. "It\'s the boys\' house."'],
    ['german', '„Komm herein“, sagte Mira. „Es ist kalt.“\n\n„Wirklich?“, fragte er.'],
    ['guillemets', '»Komm herein«, sagte Mira. »Geht’s dir gut?«'],
    ['french', '« Entrez », dit Marie. « C’est l’hiver ! »'],
    ['single', '‘The boys’ house isn’t far,’ he said. ‘Don’t you know?’'],
  ] as const)
    test(`${name} marks`, () => {
      assert.deepEqual(told(text), []);
      assert.deepEqual(told(text, { quotes: name }), []);
    });

  test('quotations within quotations', () => {
    assert.deepEqual(told('“He said ‘no’ to me,” she said.'), []);
    assert.deepEqual(told('“He said "no" to me,” she said.'), []);
    assert.deepEqual(told('„Er hat »nein« gesagt“, sagte sie.'), []);
  });

  test('a speech that goes on in the next paragraph is closed once', () => {
    assert.deepEqual(told('“It was long ago.\n\n“We were young.”'), []);
  });

  test('apostrophes, inches, code, tags and titles of links', () => {
    assert.deepEqual(
      told(
        "'Tis Jess's. Rock 'n' roll, the '90s, dogs' tails, l’été, d'Artagnan.\n\n" +
          'It is 5" wide and 6\'2" tall.\n\nUse `"` here <b title="x">bold</b>\n\n```\n"  open\n```\n\n[a](b "c) x',
      ),
      [],
    );
  });

  test('words in quotation marks are no speech', () => {
    assert.deepEqual(told('The so-called “house” was a hut. She wrote “lamp” and left.'), []);
  });
});

describe('marks', () => {
  test('one that is never closed, or closes nothing, is told with its line', () => {
    assert.deepEqual(told('One.\n\n“Come in, said Mira.\n\nShe left.'), [
      '“ in line 3 is never closed: One. “Come in, said Mira. Sh…',
    ]);
    assert.match(told('Come in,” said Mira.')[0] ?? '', /^” in line 1 closes nothing/);
    assert.equal(told('"Come in, said Mira.').length, 1);
    assert.match(told('“One. “Two.”')[0] ?? '', /never closed/);
  });

  test('an English end of a German speech is told', () => {
    assert.match(told('„Komm herein”, sagte Mira.')[0] ?? '', /begins with „ ends with ”/);
    assert.match(told('“Come in," said Mira.')[0] ?? '', /begins with “ ends with "/);
  });

  test('the style that is rarer, or not the chosen one, is told once', () => {
    const text = '“One.” “Two.” "Three." "Four," he said. “Five.”';
    assert.deepEqual(told(text), [
      '2 times "…" where the text has “…”, first in line 1: “One.” “Two.” "Three." "Four," he said…',
    ]);
    assert.match(told(text, { quotes: 'german' }).join('\n'), /3 times “…” where the text has „…“/);
  });
});

describe('punctuation', () => {
  for (const [text, problem] of [
    ['“Come in” said Mira.', /no punctuation before/],
    ['“Come in”, said Mira.', /comma belongs before/],
    ['“Come in” she whispered.', /no punctuation before/],
    ['„Komm herein“ sagte Mira.', /no comma behind/],
    ['„Komm herein,“ sagte Mira.', /comma belongs behind/],
    ['« Entrez » dit-il.', /no comma behind/],
  ] as const)
    test(text, () => assert.match(told(text)[0] ?? 'nothing', problem));
});

describe('words', () => {
  const never = { never_says: 'cheers, My Dear' };

  test('what somebody never says is found in what they say', () => {
    assert.deepEqual(told('“Cheers,” said Mira. “Thank you, my dear. Cheers!”', {}, never), [
      'Mira Vale never says “cheers”, but does in line 1 (2 in all): “Cheers,” said Mira. “Tha…',
      'Mira Vale never says “my dear”, but does in line 1 (1 in all): …said Mira. “Thank you, my dear. Cheers!”',
    ]);
  });

  test('not in what others say, in the text around it, or within words', () => {
    assert.deepEqual(told('“Cheers,” said Olin. There were cheers. “Cheerson,” said Mira.', {}, never), []);
  });

  test('a field that is all speech needs no marks, and is named', () => {
    const fields = { ...never, voice_sample: 'Cheers, all!', notes: { talk: 'cheers to you' } };
    assert.deepEqual(
      lint('', {}, fields).map(({ field }) => field),
      ['voice_sample'],
    );
    assert.equal(lint('', {}, { ...fields, never_says: ['cheers'] }).length, 1);
  });
});

describe('tags', () => {
  test('one that is used too often is told, but never said and asked', () => {
    const text = (verb: string) => `“Yes,” ${verb} Mira.\n\n`.repeat(6);
    assert.deepEqual(told(text('whispered')), ['“whispered” is the tag of 6 speeches; 5 are enough']);
    assert.deepEqual(told(text('said')), []);
    assert.deepEqual(told(text('whispered'), { most_same_tag: 6 }), []);
  });

  test('verbs that show off are told, as the settings have them', () => {
    assert.match(told('“Yes,” opined Mira.')[0] ?? '', /“opined” draws attention/);
    assert.deepEqual(told('“Yes,” opined Mira.', { bookism_words: 'said' }), []);
    assert.match(told('“Yes,” yodelled Mira.', { bookism_words: 'yodelled' })[0] ?? '', /“yodelled”/);
  });
});

test('double spaces are counted, but for those that markdown means', () => {
  assert.deepEqual(told('One  two.  Three'), ['2 double spaces, the first in line 1: One two. Three']);
  assert.deepEqual(told('- one\n    two  \n\n| a  | b  c |\n'), []);
});

test('settings decide what is an error, what is left out, and the language', () => {
  assert.deepEqual(
    lint('“One.', { balance: 'error' }).map(({ severity }) => severity),
    ['error'],
  );
  assert.deepEqual(lint('“One.', { balance: 'off' }), []);
  assert.match(told('“One.', { language: 'de' })[0] ?? '', /wird nie geschlossen/);
  assert.equal(lint('“One.', { balance: 'nonsense', quotes: 7 })[0]?.severity, 'warning');
});

test('of many findings the first are told, and how many there are', () => {
  const found = told(`“One.\n\nTwo.\n\n`.repeat(30));
  assert.equal(found.length, 21);
  assert.equal(found.at(-1), 'and 10 more findings about this');
});

test('what is too long is checked in part, and that is said', () => {
  const found = lint(`“One,” said Mira.\n\n`.repeat(20_000));
  assert.deepEqual(found, [
    {
      severity: 'info',
      field: 'markdown_body',
      message: 'dialogue was checked in the first 300000 letters alone',
    },
  ]);
});

test('time grows with the length of a text, whatever is in it', () => {
  const time = (text: string) => {
    const begun = process.cpuUsage();
    lint(text, {}, { never_says: 'aa, bb, c' });
    lint(text, { quotes: 'single' });
    return process.cpuUsage(begun).user;
  };
  for (const part of [
    '“a',
    '"',
    '‘a’ ',
    '<a ',
    '](',
    '`',
    '\n\n„',
    '“Yes,” said a a\n',
    '  ',
    '```\n',
    '<!--',
  ]) {
    const text = part.repeat(Math.ceil(200_000 / part.length));
    assert.ok(time(text) < 2_000_000, JSON.stringify(part));
  }
});
