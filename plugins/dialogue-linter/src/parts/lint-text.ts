import { isLetter } from './letters.ts';
import { maskedText } from './mask.ts';
import { createPlaces } from './places.ts';
import type { Rule, Settings } from './settings.ts';
import { readSpeech, type Span } from './spans.ts';
import { type Style, shownStyle } from './styles.ts';
import { type Tag, tagOf } from './tags.ts';
import { type MessageName, message } from './texts.ts';
import { isPlainVerb } from './verbs.ts';

export interface Found {
  rule: Rule;
  message: string;
}

/** The speaker whose entry it is; phrases that they never say are in small letters. */
export interface Speaker {
  name: string;
  neverSays: readonly string[];
}

export interface LintOptions {
  settings: Settings;
  speaker: Speaker;
  /** All of the text is said, with marks or without. */
  isSpeech: boolean;
}

const MOST_OF_A_RULE = 20;
/** Speakers are looked for in at most so many speeches: more would take longer than a guest has. */
const MOST_TAGS = 6_000;

/** Lints one text, in time that grows with its length. */
export function lintText(given: string, { settings, speaker, isSpeech }: LintOptions): Found[] {
  const text = maskedText(given);
  const places = createPlaces(text);
  const { spans, faults } = readSpeech(text, settings.quotes);
  const found = new Map<Rule, Found[]>();
  const left = new Map<Rule, number>();

  const isOn = (rule: Rule): boolean => settings.levels[rule] !== 'off';
  function add(rule: Rule, name: MessageName, at: number, words: Record<string, string | number> = {}): void {
    const all = found.get(rule) ?? [];
    found.set(rule, all);
    if (all.length >= MOST_OF_A_RULE) return void left.set(rule, (left.get(rule) ?? 0) + 1);
    const place = { line: places.lineOf(at), near: places.near(at) };
    all.push({ rule, message: message(settings.language, name, { ...place, ...words }) });
  }

  if (isOn('balance')) for (const fault of faults) add('balance', fault.kind, fault.at, { ...fault });
  if (isOn('mixed')) checkMixed();
  const tags = spans.map((span, at) => ({
    span,
    tag: at < MOST_TAGS ? tagOf(text, span, settings.bookisms) : null,
  }));
  if (isOn('punctuation')) for (const { span, tag } of tags) if (tag?.isAfter) checkEnd(span, tag);
  if (isOn('same_tag') || isOn('bookisms')) checkVerbs();
  if (isOn('never_says') && speaker.neverSays.length > 0) checkWords();
  if (isOn('spaces')) checkSpaces();
  const more = [...left].map(([rule, count]) => ({
    rule,
    message: message(settings.language, 'more', { count }),
  }));
  return [...[...found.values()].flat(), ...more];

  function checkMixed(): void {
    const uses = new Map<Style, { count: number; at: number }>();
    for (const { style, from } of spans) {
      const known = uses.get(style) ?? { count: 0, at: from - 1 };
      uses.set(style, { ...known, count: known.count + 1 });
    }
    const [most] = [...uses].sort(([, one], [, other]) => other.count - one.count);
    const main = settings.quotes === 'auto' ? most?.[0] : settings.quotes;
    for (const [style, { count, at }] of uses)
      if (main !== undefined && style !== main)
        add('mixed', 'mixed', at, { count, style: shownStyle(style), main: shownStyle(main) });
  }

  function checkEnd({ to }: Span, { tongue }: Tag): void {
    const last = text
      .slice(Math.max(0, to - 4), to)
      .trimEnd()
      .at(-1);
    const hasCommaBehind = text[to + 1] === ',';
    const endsBare = isLetter(last);
    if (tongue === 'en') {
      if (endsBare) add('punctuation', hasCommaBehind ? 'comma_inside' : 'unpunctuated', to);
    } else if (last === ',' && !hasCommaBehind) add('punctuation', 'comma_outside', to);
    else if (endsBare && !hasCommaBehind && !/^\s*[—–]/.test(text.slice(to + 1, to + 4)))
      add('punctuation', 'no_comma', to);
  }

  function checkVerbs(): void {
    const uses = new Map<string, { count: number; at: number }>();
    for (const { span, tag } of tags) {
      if (tag === null) continue;
      const known = uses.get(tag.verb) ?? { count: 0, at: span.to };
      uses.set(tag.verb, { ...known, count: known.count + 1 });
    }
    const most = settings.mostSameTag;
    for (const [verb, { count, at }] of uses) {
      if (isOn('bookisms') && settings.bookisms.has(verb)) add('bookisms', 'bookism', at, { verb, count });
      else if (isOn('same_tag') && !isPlainVerb(verb) && count > most)
        add('same_tag', 'same_tag', at, { verb, count, most });
    }
  }

  /** Of what the entry itself says: a speech with another name in its tag is somebody else's. */
  function checkWords(): void {
    const own = new Set(speaker.name.toLowerCase().split(/\s+/));
    const isOwn = (tag: Tag | null): boolean => !tag?.speaker || own.has(tag.speaker.toLowerCase());
    const said = isSpeech
      ? [{ from: 0, to: text.length }]
      : tags.filter(({ tag }) => isOwn(tag)).map(({ span }) => span);
    const speeches = said.map(({ from, to }) => ({ from, words: text.slice(from, to).toLowerCase() }));
    for (const word of speaker.neverSays) {
      const at = speeches.flatMap(({ from, words }) => placesOf(word, words).map((place) => from + place));
      const [first] = at;
      if (first !== undefined)
        add('never_says', 'never_says', first, { name: speaker.name, word, count: at.length });
    }
  }

  /** Those at the beginning and end of a line mean something in markdown, and tables are aligned by them. */
  function checkSpaces(): void {
    let count = 0;
    let first = -1;
    for (let at = text.indexOf('  '); at >= 0; ) {
      let end = at + 2;
      while (text[end] === ' ') end += 1;
      const isBetween = [text[at - 1], text[end]].every((letter) => !NO_NEIGHBOUR.has(letter));
      if (isBetween && end - at < 4 && text[text.lastIndexOf('\n', at) + 1] !== '|') {
        if (first < 0) first = at;
        count += 1;
      }
      at = text.indexOf('  ', end);
    }
    if (count > 0) add('spaces', 'spaces', first, { count });
  }
}

const NO_NEIGHBOUR: ReadonlySet<string | undefined> = new Set([undefined, '\n', '\r', '\t', '|']);

/** The places of a word or phrase, as a whole. */
function placesOf(word: string, text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const isWhole = !isLetter(text[at - 1]) && !isLetter(text[at + word.length]);
    if (isWhole) found.push(at);
  }
  return found;
}
