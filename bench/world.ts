import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Generated worlds are kept here between runs. */
export const BENCH_FOLDER = join(tmpdir(), 'canonry-bench');

export const TEMPLATES = join(import.meta.dirname, '..', 'starter', '_Templates');
const VOCABULARY_SIZE = 8_000;
const CONSONANTS = 'bcdfghklmnprstvwz';
const VOWELS = 'aeiou';

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function wordList(): string[] {
  const random = randomFrom(7);
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? '';
  const words = new Set<string>();
  while (words.size < VOCABULARY_SIZE) {
    const syllables = 1 + Math.floor(random() * 3);
    let word = pick(CONSONANTS);
    for (let count = 0; count <= syllables; count += 1) word += pick(VOWELS) + pick(CONSONANTS);
    words.add(word);
  }
  return [...words].sort((a, b) => a.length - b.length);
}

const WORDS = wordList();

interface Writer {
  number(below: number): number;
  word(): string;
  text(words: number): string;
}

/** Short words are frequent and long ones rare, as in a language. */
function writerFor(index: number): Writer {
  const random = randomFrom(index + 1);
  const number = (below: number) => Math.floor(random() * below);
  const word = () => WORDS[Math.floor(WORDS.length * random() ** 2.5)] ?? '';
  const text = (words: number) => {
    const sentence = Array.from({ length: words }, word).join(' ');
    return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
  };
  return { number, word, text };
}

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

export const entityIdOf = (index: number): string => `person_${String(index).padStart(6, '0')}`;
export const entityPathOf = (index: number): string =>
  `Characters/${entityIdOf(index)}/CH_${entityIdOf(index)}.md`;

/** A character's file: thirty fields in 1.4 KB of frontmatter, 3 KB in total. */
export function entityText(index: number): string {
  const { number, word, text } = writerFor(index);
  const list = (count: number) => `[${Array.from({ length: count }, word).join(', ')}]`;
  const color = () => `"#${number(0xffffff).toString(16).padStart(6, '0').toUpperCase()}"`;
  const other = () => entityIdOf(number(20_000));
  const paragraphs = [60, 55, 60, 50].map((words) => text(words));
  return `---
id: ${entityIdOf(index)}
entity_type: character
template_version: "2.0"
created_date: "2025-0${1 + number(9)}-1${number(9)}"
status: ${['active', 'draft', 'archived'][number(3)]}
name: ${capital(word())} ${capital(word())} ${index}
aliases: ${list(2)}
pronouns: they/them
summary: "${text(10)}"
story_role: supporting
species: human
birth_year: ${1900 + number(120)}
death_year: 0
birthplace: ${word()}_harbour
home: ${word()}_street # moved twice
job: ${word()}
faction: null
want: ${text(8)}
need: ${text(8)}
flaw: ${text(6)}
ghost: |
  ${text(8)}
  ${text(8)}
arc:
  beginning: ${text(5)}
  turning_point: ${text(5)}
  ending: ${text(5)}
secrets:
  - ${text(5)}
  - ${text(5)}
voice:
  register: ${text(3)}
  rhythm: ${text(3)}
appearance: ${text(8)}
height_cm: ${150 + number(50)}
eye_color: ${color()}
signature_color: ${color()}
palette: [${color()}, ${color()}, ${color()}]
wardrobe: ${text(6)}
parents: [${other()}, ${other()}]
relationships: [${other()}, ${other()}]
is_playable: ${number(2) === 1}
courage: ${number(11)}
stats:
  body: ${number(10)}
  wits: ${number(10)}
skills: ${list(3)}
tags: ${list(3)}
---

## First impression

${paragraphs[0]}

## Backstory

${paragraphs[1]}

## On screen

${paragraphs[2]}

## Notes

${paragraphs[3]}
`;
}

export interface World {
  folder: string;
  count: number;
}

/** A content folder with the starter templates and `count` characters, made once and kept. */
export function world(count: number): World {
  const version = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 8);
  const folder = join(BENCH_FOLDER, `world-${count}-${version}`);
  if (!existsSync(folder)) writeWorld(folder, count);
  return { folder, count };
}

/** A copy of a world, for benchmarks that change it. */
export function worldToChange(count: number, folder: string): World {
  rmSync(folder, { recursive: true, force: true });
  writeWorld(folder, count);
  return { folder, count };
}

function writeWorld(folder: string, count: number): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  cpSync(TEMPLATES, join(unfinished, '_Templates'), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    mkdirSync(join(unfinished, 'Characters', entityIdOf(index)), { recursive: true });
    writeFileSync(join(unfinished, entityPathOf(index)), entityText(index));
  }
  renameSync(unfinished, folder);
}
