import { STYLES, type Style } from './styles.ts';
import { BOOKISMS } from './verbs.ts';

const RULES = ['balance', 'mixed', 'punctuation', 'never_says', 'same_tag', 'bookisms', 'spaces'] as const;
export type Rule = (typeof RULES)[number];

export type Level = 'off' | 'info' | 'warning' | 'error';
const LEVELS: readonly unknown[] = ['off', 'info', 'warning', 'error'] satisfies Level[];

export interface Settings {
  quotes: Style | 'auto';
  language: 'en' | 'de';
  levels: Readonly<Record<Rule, Level>>;
  /** A tag may be used so often in one text. */
  mostSameTag: number;
  bookisms: ReadonlySet<string>;
  /** Fields whose whole text is speech. */
  speechFields: ReadonlySet<string>;
}

const isLevel = (value: unknown): value is Level => LEVELS.includes(value);
const isStyle = (value: unknown): value is Style => typeof value === 'string' && Object.hasOwn(STYLES, value);

const MOST_SAME_TAG = 5;
const SPEECH_FIELDS = 'voice_sample, catchphrase, catchphrases, quote, quotes, sample_dialogue, dialogue';

/** Words between commas or line ends. */
export const listOf = (text: unknown): string[] =>
  (Array.isArray(text) ? text.map(String) : String(text ?? '').split(/[,;\n]/))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

/** An admin’s settings; a missing one has its default. */
export function readSettings(given: Readonly<Record<string, unknown>>): Settings {
  const { quotes, language, most_same_tag: most } = given;
  const levels = RULES.map((rule) => [rule, isLevel(given[rule]) ? given[rule] : 'warning'] as const);
  return {
    quotes: isStyle(quotes) ? quotes : 'auto',
    language: language === 'de' ? 'de' : 'en',
    levels: Object.fromEntries(levels) as Record<Rule, Level>,
    mostSameTag: typeof most === 'number' && most > 0 ? most : MOST_SAME_TAG,
    bookisms: new Set(listOf(given.bookism_words ?? BOOKISMS)),
    speechFields: new Set(listOf(given.speech_fields ?? SPEECH_FIELDS)),
  };
}
