import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DocumentEdit, editDocument } from './index.ts';

type Case = [before: string, edit: DocumentEdit, after: string];

const set = (fields: Record<string, unknown>): DocumentEdit => ({ set: fields });

/**
 * A bolder strategy repairs what a finer one gets wrong, so that a fault shows only in what the author loses: most keys
 * here stand before a blank, which a rewritten pair would not keep.
 */
const TABLES: Record<string, Case[]> = {
  'an item of a list changes where it stands': [
    ['l : [] # c\n', set({ l: [1] }), 'l : # c\n  - 1\n'],
    ['l :\n  - a # 1\n', set({ l: ['a', 'a'] }), 'l :\n  - a # 1\n  - a\n'],
    ['l :\n  - a # 1\n  - b # 2\n  - c # 3\n', set({ l: ['a', 'c'] }), 'l :\n  - a # 1\n  - c # 3\n'],
    ['l :\n  - a # 1\n', set({ l: [{ k: 1, m: 2 }, 'a'] }), 'l :\n  - k: 1\n    m: 2\n  - a # 1\n'],
    ['l :\n  - - a # 1\n', set({ l: [[{ k: 1 }, 'a']] }), 'l :\n  - - k: 1\n    - a # 1\n'],
    ['l :\n  - - a\n    - b # 2\n', set({ l: [['b']] }), 'l :\n  - - b # 2\n'],
    ['l :\n  -\n  - b # 2\n', set({ l: ['x', 'b'] }), 'l :\n  - x\n  - b # 2\n'],
    ['l :\n  -   a # 1\n  - b\n', set({ l: ['z', 'b'] }), 'l :\n  -   z # 1\n  - b\n'],
    ['l : [a: 1, c]\n', set({ l: [{ a: 2 }, 'c'] }), 'l : [a: 2, c]\n'],
    ['l : [a: 1]\n', set({ l: [{ a: 1, b: 2 }] }), 'l : [{a: 1, b: 2}]\n'],
    ['l : [a, b, c]\n', set({ l: ['a'] }), 'l : [a]\n'],
    ['l : [a, b, c, d]\n', set({ l: ['a', 'd'] }), 'l : [a, d]\n'],
    ['l : [a, b]\n', set({ l: ['x', 'a', 'b'] }), 'l : [x, a, b]\n'],
    ['l : [\n  a, # 1\n  b # 2\n ]\n', set({ l: ['b'] }), 'l : [\n  # 1\n  b # 2\n ]\n'],
    ['l : [\n  a, # 1\n  b, # 2\n ]\n', set({ l: ['a'] }), 'l : [\n  a, # 1\n  # 2\n ]\n'],
  ],
  'an item of several lines leaves the comment and the anchor beside the dash': [
    ['l :\n  - a\n  - b\n', set({ l: [{ k: 1, m: 2 }, 'b'] }), 'l :\n  - k: 1\n    m: 2\n  - b\n'],
    ['l :\n  - a # 1\n', set({ l: [{ k: 1, m: 2 }] }), 'l :\n  - # 1\n    k: 1\n    m: 2\n'],
    ['l :\n  - &x a\n', set({ l: [{ k: 1, m: 2 }] }), 'l :\n  - &x\n    k: 1\n    m: 2\n'],
    ['l :\n  - a # 1\n', set({ l: [['p', 'q']] }), 'l :\n  - # 1\n    - p\n    - q\n'],
    ['l :\n  - a # 1\n', set({ l: ['x\ny'] }), 'l :\n  - |- # 1\n    x\n    y\n'],
  ],
  'a value of another kind keeps the comments that were not inside': [
    ['a : { k: 1 } # c\n', set({ a: ['x'] }), 'a : # c\n  - x\n'],
    ['a : [1,\n  2] # c\nb: 1\n', set({ a: 'x' }), 'a : x # c\nb: 1\n'],
    ['a : # c\n  - x # in\n  - z # in\nb: 1\n', set({ a: 'v' }), 'a : v # c\nb: 1\n'],
    ['a : # c\n  k: x # in\nb: 1\n', set({ a: 'v' }), 'a : v # c\nb: 1\n'],
    ['a : # c\n  x # d\nb: 1\n', set({ a: 'v' }), 'a : v # c # d\nb: 1\n'],
    ['a : >- # c\n  one\n  two\nb: 1\n', set({ a: 'v' }), 'a : >- # c\n  v\nb: 1\n'],
    ['a : |\n  x\nb: 1\n', set({ a: 'y' }), 'a : |-\n  y\nb: 1\n'],
    ['a : "x\n  y" # c\nb: 1\n', set({ a: 'v' }), 'a : "v" # c\nb: 1\n'],
    ['a : !!str 5 # c\n', set({ a: 'x' }), 'a : x # c\n'],
    ['a : # c\nb: 1\n', set({ a: 'v' }), 'a : v # c\nb: 1\n'],
    ['a : &x\n  - 1\nb: 2\n', set({ a: [7, { k: 1 }] }), 'a : &x\n  - 7\n  - k: 1\nb: 2\n'],
    ['a : &x 5\nb: 1\n', set({ a: 'x\ny' }), 'a : &x |-\n  x\n  y\nb: 1\n'],
  ],
  'a value that was not written gets its place': [
    ['a :\nb: 1\n', set({ a: 'v' }), 'a : v\nb: 1\n'],
    ['{a, b: 1}\n', set({ a: 2 }), '{a: 2, b: 1}\n'],
    ['{a: , b: 1}\n', set({ a: 2 }), '{a: 2 , b: 1}\n'],
    ['{a: !!str , b: 1}\n', set({ a: 2 }), '{a: 2 , b: 1}\n'],
    ['m : {? a, b: 2}\n', set({ m: { a: 5, b: 3 } }), 'm : {? a: 5, b: 3}\n'],
    ['m :\n  ? a\n  b: 2\n', set({ m: { a: null, b: 3 } }), 'm :\n  ? a\n  b: 3\n'],
    ['m :\n  ? a # k\n  b: 2\n', set({ m: { a: [5], b: 2 } }), 'm :\n  a: # k\n    - 5\n  b: 2\n'],
    [': 1\nb: 2\n', set({ null: 3 }), ': 3\nb: 2\n'],
  ],
  'a key written with a question mark becomes a usual one with its value, and no sooner': [
    ['? a # k\n: 1 # v\nb: 1\n', set({ b: 2 }), '? a # k\n: 1 # v\nb: 2\n'],
    ['? a # k\n: x: 1 # v\nb: 1\n', set({ a: { x: 2 } }), '? a # k\n: x: 2 # v\nb: 1\n'],
    ['? "a b"\n: 1\nb: 2\n', set({ 'a b': 3 }), '"a b": 3\nb: 2\n'],
    ['? |\n  a\n: 1\nb: 2\n', set({ 'a\n': 3 }), '"a\\n": 3\nb: 2\n'],
    ['? a\n  b\n: 1\nb: 2\n', set({ 'a b': 3 }), 'a b: 3\nb: 2\n'],
  ],
  'maps change entry by entry': [
    ['m :\n  # c\n  a: 1\n  b: 2\nn: 1\n', set({ m: { z: 2 } }), 'm :\n  z: 2\nn: 1\n'],
    ['m : &xyz\n  a: 1\nn: 1\n', set({ m: { a: 1, b: 2 } }), 'm : &xyz\n  a: 1\n  b: 2\nn: 1\n'],
    ['{a: 1, b: 2}\n', { set: { z: 3 }, unset: ['a', 'b'] }, '{z: 3}\n'],
    ['a: 1 # c\n# d\nb: 2\n', { set: { z: 3 }, unset: ['a', 'b'] }, '# d\nz: 3\n'],
  ],
  'new keys stand in the order in which they come, each behind the one that is wished': [
    ['a: 1\n', set({ b: 1, c: 2, d: 3, e: 4 }), 'a: 1\nb: 1\nc: 2\nd: 3\ne: 4\n'],
    [
      'a: 1\nz: 1\n',
      { set: { m: 1, p: 2, n: 3 }, after: { m: 'a', p: 'a', n: 'm' } },
      'a: 1\nm: 1\nn: 3\np: 2\nz: 1\n',
    ],
    ['a: 1\n', { set: { b: 1, c: 2, d: 3 }, after: { b: 'c', c: 'b', d: 'd' } }, 'a: 1\nc: 2\nb: 1\nd: 3\n'],
  ],
  'a removed pair takes what would become part of the text above': [
    ['a: |\n  x\nb: 1\n  # deep\nc: 1\n', { unset: ['b'] }, 'a: |\n  x\nc: 1\n'],
    ['a: |\n  x\nb: 1\n  # deep\nc : 1\n', { set: { c: 2 }, unset: ['b'] }, 'a: |\n  x\nc : 2\n'],
    ['a: |+\n  x\nb: 1\n\n# about c\nc: 1\n', { unset: ['b'] }, 'a: |+\n  x\n# about c\nc: 1\n'],
  ],
  'what cannot be changed inside its pair takes the whole pair': [
    ['a : 1\nk :\n    - &a 12\n', set({ k: [[-261]] }), 'a : 1\nk:\n    - - -261\n'],
    [
      'z: |\n  x\nb: 1\n  # deep\nk :\n    - &a 12\nc : 1\n',
      { set: { k: [[1]] }, unset: ['b'] },
      'z: |\n  x\nk:\n    - - 1\nc : 1\n',
    ],
  ],
  'what no strategy does at once is done field by field': [
    ['a: |\n  x\nb: 1\n  # deep\nc: 1\n\n', { set: { z: 1 }, unset: ['b', 'c'] }, 'a: |\n  x\nz: 1\n\n'],
  ],
  'an anchor goes to an alias with the value that it had': [
    ['l : &x [a, b]\nm : *x\n', set({ l: ['a'] }), 'l : [a]\nm : &x [a, b]\n'],
    ['m : &x {a: 1, b: 2}\nn : *x\n', set({ m: { a: 1 } }), 'm : {a: 1}\nn : &x {a: 1, b: 2}\n'],
    ['m : &x {a: 1}\nn : *x\n', set({ m: { a: 1, b: 2 } }), 'm : {a: 1, b: 2}\nn : &x {a: 1}\n'],
    ['l : &x [a]\nm : *x\n', set({ l: ['a', 'b'] }), 'l : [a, b]\nm : &x [a]\n'],
    ['a : &x {k: 1}\nb :\t*x\n', set({ a: 2 }), 'a : 2\nb : &x {k: 1}\n'],
    ['a : &x\nb : *x\n', set({ a: 7 }), 'a : 7\nb : &x null\n'],
    ['a : !!str &x 5\nb : *x\n', set({ a: 7 }), 'a : 7\nb : &x "5"\n'],
    ['a : &x\n  k: &y v\nb : *y\nc : *x\n', { unset: ['a'] }, 'b : &y v\nc : &x {k: v}\n'],
    ['a : &x 1\nb : &x 2\nc : *x\n', set({ b: 3 }), 'a : &x 1\nb : 3\nc : &x 2\n'],
    ['a : &x 1\nb : &x 2\nc : *x\n', set({ a: 3 }), 'a : &x 3\nb : &x 2\nc : *x\n'],
  ],
  'text of several lines becomes a block only if a block holds it well': [
    ['a : >-\n  x\n', set({ a: 'one\n\ntwo' }), 'a : |-\n  one\n\n  two\n'],
    ['a : >-\n  x\n', set({ a: 'one\n two' }), 'a : |-\n  one\n   two\n'],
    ['a : 5\n', set({ a: 'one\n  \ntwo' }), 'a : "one\\n  \\ntwo"\n'],
    ['a : 5\n', set({ a: '\u3000\n' }), 'a : "\u3000\\n"\n'],
    ['a : 5\n', set({ a: 'one\n\u200Btwo' }), 'a : "one\\n\\u200btwo"\n'],
    ['a : |+\n  x\n\n\nb: 1\n', set({ a: 'y\n' }), 'a : |\n  y\nb: 1\n'],
    ['a : |1\n  x\n \n\nb: 1\n', set({ a: 'y\n' }), 'a : |\n  y\n \n\nb: 1\n'],
    ['a : | # c\n\nb: 1\n', set({ a: 7 }), 'a : 7 # c\n\nb: 1\n'],
  ],
  'new values look like the present ones': [
    ["a: 'x'\nc: 'z'\nd: \"w\"\n", set({ b: 'yes' }), "a: 'x'\nc: 'z'\nd: \"w\"\nb: 'yes'\n"],
    ['a: \'x\'\nd: "w"\n', set({ b: 'yes' }), 'a: \'x\'\nd: "w"\nb: "yes"\n'],
    ["l: ['x', 'y']\nm:\n  - 'z'\n", set({ b: 'yes' }), "l: ['x', 'y']\nm:\n  - 'z'\nb: 'yes'\n"],
    ["a: 'x'\n", set({ b: "it's: [" }), "a: 'x'\nb: \"it's: [\"\n"],
    ['a: x\n', set({ b: '"\'[' }), 'a: x\nb: "\\"\'["\n'],
    ['m:\n    l:\n    - 1\n', set({ b: [1] }), 'm:\n    l:\n    - 1\nb:\n- 1\n'],
    [
      'm:\n    l:\n        - 1\n',
      set({ b: [[1], {}] }),
      'm:\n    l:\n        - 1\nb:\n    - - 1\n    - {}\n',
    ],
    ['a: 1\n', set({ a: { b: undefined, c: -0 } }), 'a:\n  c: 0\n'],
    ['a: 1\n', set({ a: '\u200B\u0007"\\\t' }), 'a: "\\u200b\\u0007\\"\\\\\\t"\n'],
  ],
};

for (const [what, cases] of Object.entries(TABLES)) {
  describe(what, () => {
    for (const [before, edit, after] of cases)
      it(JSON.stringify(before), () => {
        assert.equal(editDocument(`---\n${before}---\n`, edit), `---\n${after}---\n`);
      });
  });
}
