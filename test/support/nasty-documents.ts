import fc from 'fast-check';

/** Documents as people, editors and other tools write them, for property tests. */

/** A top-level pair with its own lines: [first, last), counted from 0. */
export interface NastyPair {
  name: string;
  firstLine: number;
  endLine: number;
}
export interface NastyDocument {
  text: string;
  body: string;
  newline: '\n' | '\r\n';
  pairs: NastyPair[];
}

/** Text after its key and lines under it, indented relative to the key. */
interface Piece {
  inline: string;
  lines: string[];
}
const ANCHOR = '\u0001';
const ALIAS = '\u0002';

const inline = (text: string): Piece => ({ inline: text, lines: [] });
const indent = (lines: readonly string[], by: number) =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
const piece = (...texts: string[]) => fc.constantFrom(...texts).map(inline);

const words = fc.constantFrom(
  'one',
  'two words',
  'a-b',
  'x#y',
  'http://h:80/p?q=1',
  "it's",
  'say "hi"',
  '日本語 テキスト',
  '🐉 dragon',
  'é',
  '[[link]]x',
  'a,b',
);
const plain = piece(
  'word',
  'two words',
  'http://h:80/p',
  'x#y',
  "it's",
  'say "hi"',
  '日本語',
  '🐉 dragon',
  '2024-01-01',
  'yes',
  'No',
  '12:30',
  '42',
  '-7',
  '1.50',
  '1e3',
  '0x1F',
  'true',
  'False',
  'null',
  '~',
  '12345678901234567890',
  '3.14159265358979323846',
  'a - b',
  'end.',
  '-x',
  '?x',
  ':x',
  '!!str 5',
  '!!int "5"',
  'Key: no'.replace(': ', ':'),
);
const quoted = piece(
  "'single'",
  "'it''s'",
  '"double"',
  '"tab\\t esc \\u00e9 \\n nl"',
  "'# no comment'",
  '"a: b"',
  "''",
  '""',
  "'[placeholder]'",
  '"🐉"',
  "'123'",
  '"\\\\"',
);
const empty = piece('');
const multiLine = fc.constantFrom<Piece>(
  { inline: 'plain start', lines: ['  goes on', '', '  and on'] },
  { inline: '"double', lines: ['   goes \\', '  on"'] },
  { inline: "'single", lines: ['', "  on'"] },
  { inline: '', lines: ['  on its own line'] },
  { inline: '', lines: ['  # comment first', "  'quoted later' # after"] },
);
const blockScalar: fc.Arbitrary<Piece> = fc
  .record({
    header: fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '>2-', '|+2', '| # note'),
    content: fc.array(
      fc.constantFrom('text', '# not a comment', '---', 'key: value', '日本 🐉', 'end \t', ''),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ header, content }) => ({
    inline: header,
    lines: content.map((line) => (line === '' ? '' : `  ${line}`)),
  }));
const scalarItem = fc.constantFrom('a', '1', '"b c"', "'d'", 'null', '🐉', 'x y');
const flow: fc.Arbitrary<Piece> = fc.oneof(
  fc.array(scalarItem, { maxLength: 4 }).map((items) => inline(`[${items.join(', ')}]`)),
  fc.array(scalarItem, { minLength: 1, maxLength: 3 }).map((items) => inline(`[ ${items.join(' , ')}, ]`)),
  fc
    .array(scalarItem, { minLength: 1, maxLength: 3 })
    .map((items) => inline(`{ ${items.map((item, i) => `f${i}: ${item}`).join(', ')} }`)),
  fc
    .array(scalarItem, { minLength: 1, maxLength: 3 })
    .map((items) => ({ inline: '[', lines: [...items.map((item) => `  ${item}, # c`), ' ]'] })),
  fc.array(scalarItem, { minLength: 1, maxLength: 3 }).map((items) => ({
    inline: '{',
    lines: items.map((item, i) => `    "f${i}":   ${item}${i === items.length - 1 ? ' }' : ','}`),
  })),
  piece('{}', '[]', '{a, b: }', '[k: v, [1, {z: 2}]]', '{"q":1}', `[${ANCHOR} n, x]`),
);
const alias = piece(ALIAS);
const comment = fc.constantFrom('# note', '#tight', '  # indented', '', '# k0: commented out', '# 日本 🐉');
const separator = fc.constantFrom(' ', ' ', ' ', '  ', '   ', '\t');
const trailing = fc.constantFrom('', '', '', ' # trailing', '    # aligned', '  ', '\t# tab');

const leaf = fc.oneof(plain, quoted, empty, alias, flow).chain((value) =>
  fc.tuple(trailing, fc.boolean()).map(([tail, anchored]): Piece => {
    const canAnchor = anchored && value.inline !== ALIAS && !value.inline.startsWith('!');
    const text = canAnchor ? `${ANCHOR} ${value.inline}`.trimEnd() : value.inline;
    return value.lines.length > 0 ? { ...value, inline: text } : inline(text + tail);
  }),
);

const value = fc.letrec<{ any: Piece; map: Piece; seq: Piece }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'yaml' },
    leaf,
    multiLine,
    blockScalar,
    tie('map'),
    tie('seq'),
  ),
  map: fc
    .record({
      by: fc.integer({ min: 1, max: 4 }),
      head: fc.constantFrom('', '', ' # head', `${ANCHOR}`),
      pairs: fc.array(fc.tuple(separator, tie('any'), fc.option(comment, { freq: 3 })), {
        minLength: 1,
        maxLength: 3,
      }),
    })
    .map(({ by, head, pairs }) => {
      const lines = pairs.flatMap(([gap, item, note], index) => [
        ...(note === null ? [] : [note.trim()]),
        ...pairText(`n${index}`, gap, item),
      ]);
      return { inline: head.trim(), lines: indent(lines, by) };
    }),
  seq: fc
    .record({
      by: fc.constantFrom(0, 1, 2, 4),
      items: fc.array(fc.tuple(fc.boolean(), tie('any'), fc.option(comment, { freq: 4 })), {
        minLength: 1,
        maxLength: 3,
      }),
    })
    .map(({ by, items }) => {
      const lines = items.flatMap(([compact, item, note]) => [
        ...(note === null ? [] : [note.trim()]),
        ...itemText(item, compact),
      ]);
      return { inline: '', lines: indent(lines, by) };
    }),
}));

function pairText(key: string, gap: string, item: Piece): string[] {
  return [`${key}:${item.inline === '' ? '' : gap + item.inline}`, ...item.lines];
}

/** A compact item starts its map or list on the line of the dash. */
function itemText(item: Piece, compact: boolean): string[] {
  const first = item.lines[0];
  if (compact && item.inline === '' && first !== undefined && /^ {2}[n-]/.test(first)) {
    return [`- ${first.slice(2)}`, ...item.lines.slice(1)];
  }
  return [
    `-${item.inline === '' ? '' : ` ${item.inline}`}`,
    ...indent(item.lines, item.inline === '' ? 1 : 0),
  ];
}

const keyShapes: readonly ((index: number) => { text: string; name: string })[] = [
  (index) => ({ text: `k${index}`, name: `k${index}` }),
  (index) => ({ text: `"k ${index}"`, name: `k ${index}` }),
  (index) => ({ text: `'it''s ${index}'`, name: `it's ${index}` }),
  (index) => ({ text: `${index + 1}`, name: `${index + 1}` }),
  (index) => ({ text: `鍵${index}🐉`, name: `鍵${index}🐉` }),
  (index) => ({ text: `"a: ${index}"`, name: `a: ${index}` }),
  (index) => ({ text: `k ${index} `, name: `k ${index}` }),
  (index) => ({ text: `? e${index}\n`, name: `e${index}` }),
];

const pairPiece = fc.record({
  above: fc.array(comment, { maxLength: 2 }),
  shape: fc.constantFrom(...keyShapes),
  separator,
  value: value.any,
});

const body = fc
  .array(
    fc.constantFrom(
      '# Heading',
      '---',
      'text 🐉',
      '',
      '...',
      'key: value',
      '  indented',
      '\ttab',
      '[placeholder]',
      'hard  ',
    ),
    { maxLength: 6 },
  )
  .chain((lines) => fc.boolean().map((final) => lines.join('\n') + (final ? '\n' : '')));

/** Nearly every shape with frontmatter; a few are not valid YAML and must be filtered out. */
export const nastyDocument: fc.Arbitrary<NastyDocument> = fc
  .record({
    bom: fc.boolean(),
    crlf: fc.boolean(),
    open: fc.constantFrom('---', '--- ', '---\t'),
    close: fc.constantFrom('---', '---', '...', '---  '),
    ending: fc.constantFrom('none', 'line', 'blank', 'blank'),
    pairs: fc.array(pairPiece, { maxLength: 5 }),
    below: fc.array(comment, { maxLength: 2 }),
    body,
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  })
  .map((parts) => {
    const lines: string[] = [parts.open];
    const pairs: NastyPair[] = [];
    const anchors = { made: 0, usable: 0, used: 0 };
    parts.pairs.forEach((pair, index) => {
      const key = pair.shape(index);
      lines.push(...pair.above);
      const firstLine = lines.length;
      const text = pairLinesOf(key.text, pair.separator, pair.value).map((line) =>
        nameAnchors(line, anchors, parts.picks),
      );
      anchors.usable = anchors.made;
      lines.push(...text);
      pairs.push({ name: key.name, firstLine, endLine: lines.length });
    });
    lines.push(...parts.below, parts.close);
    const ending = parts.ending === 'none' ? '' : parts.ending === 'line' ? '\n' : '\n\n';
    const rest =
      parts.ending === 'none' ? '' : parts.ending === 'line' ? parts.body.replace(/^\n+/, '') : parts.body;
    const newline = parts.crlf ? '\r\n' : '\n';
    const whole = lines.join('\n') + ending + rest;
    return {
      text: (parts.bom ? '\uFEFF' : '') + whole.replaceAll('\n', newline),
      body: rest.replaceAll('\n', newline),
      newline,
      pairs,
    } satisfies NastyDocument;
  });

function pairLinesOf(key: string, gap: string, item: Piece): string[] {
  const explicit = key.endsWith('\n');
  const head = explicit ? key.trimEnd() : undefined;
  const lines = pairText(explicit ? '' : key, gap, item);
  return head === undefined ? lines : [head, ...lines];
}

/** Each anchor gets its own name; aliases name anchors of pairs above. */
function nameAnchors(
  line: string,
  anchors: { made: number; usable: number; used: number },
  picks: readonly number[],
): string {
  return line
    .replaceAll(ANCHOR, () => `&a${anchors.made++}`)
    .replaceAll(ALIAS, () => {
      const pick = picks[anchors.used++ % picks.length] ?? 0;
      return anchors.usable === 0 ? 'no_alias' : `*a${pick % anchors.usable}`;
    });
}

/** YAML reads them as something else, or cannot write them plainly. */
export const awkwardString = fc.oneof(
  words,
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    '',
    ' ',
    '~',
    'null',
    'true',
    'yes',
    'NO',
    '123',
    '1.0',
    '0x10',
    '1_000',
    '.inf',
    '2024-01-01',
    '- x',
    'a: b',
    'a:',
    '# c',
    'a # b',
    ' lead',
    'trail ',
    '[x]',
    '{x}',
    '&a',
    '*a',
    '!t',
    '|',
    '>',
    '%',
    '@',
    '`',
    "'",
    '"',
    '---',
    '...',
    '?',
    '-',
    ':',
    ',',
    '<<',
    '=',
    'two\nlines',
    'end\n',
    'end\n\n',
    '\nlead',
    '  lead\nx',
    'a\n\n\nb',
    'tab\tx',
    '\t',
    'a\r\nb',
    '\r',
    'x\n  y\n',
    '\n',
    'a \nb',
    '\u0085',
    '\u2028',
    '\uFEFF',
    'a\n \nb',
    '# x\n# y',
    '---\n---',
    '12:30:45',
    '+1',
    'a\n---\nb',
  ),
);

const keyString = fc.oneof(
  fc.constantFrom('a', 'b', 'n0', 'n1', 'f0', 'f1', 'x y', '1', 'a: b', '', '- k', 'yes', '鍵'),
  awkwardString,
);

const allowedKey = keyString.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));

/** With awkward strings and keys. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown; map: unknown; list: unknown }>(
  (tie) => ({
    any: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'json' },
      awkwardString,
      fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom(2 ** 60, 1e21, -1e-7),
      ),
      tie('map'),
      tie('list'),
    ),
    map: fc.dictionary(allowedKey, tie('any'), { maxKeys: 4 }).map((map) => ({ ...map })),
    list: fc.array(tie('any'), { maxLength: 4 }),
  }),
).any;

export const jsonMap = fc
  .dictionary(allowedKey, jsonValue, { maxKeys: 5 })
  .map((map) => ({ ...map }) as Record<string, unknown>);
