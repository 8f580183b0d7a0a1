import { entityFromDocument } from '../../content/entity/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import { searchTokens } from '../../content/search-text.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';

/** Words of questions that carry no subject. */
const EMPTY_WORDS = new Set(
  `a about am an and any anyone are as at be been but by can could did do does for from had has have he her him his how i if in
into is it its know like many me more my no not of on or our out she should so some tell than that the their them then there these
they this to up us was we were what when where which while who whom whose why will with would you your`.split(
    /\s+/,
  ),
);
const MOST_TERMS = 12;

/** The subject words of a question; all of its words if none qualifies. */
export function termsOf(question: string): string[] {
  const words = [...new Set(searchTokens(question))];
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MOST_TERMS);
}

/** A piece of an entity's file, on one line. */
export interface Passage {
  text: string;
  /** Of the file, from 1. */
  line: number;
  end_line: number;
}

const LONGEST = 400;
const MOST_PASSAGES = 2;
const FURTHEST_DEEP = 6;
const HEADING = /^#{1,6}\s/;

const shortened = (text: string): string => {
  const letters = [...text];
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST).join('').trimEnd()} …`;
};

const breaksIn = (text: string): number => text.split('\n').length - 1;

/** Paragraphs without headings. */
function paragraphsOf(body: string, firstLine: number): Passage[] {
  const paragraphs: Passage[] = [];
  let open: Passage | null = null;
  for (const [index, line] of body.split('\n').entries()) {
    if (line.trim() === '') open = null;
    if (line.trim() === '' || HEADING.test(line)) continue;
    if (open === null) {
      open = { text: '', line: firstLine + index, end_line: firstLine + index };
      paragraphs.push(open);
    }
    open.text = `${open.text} ${line}`.replaceAll(/\s+/g, ' ').trim();
    open.end_line = firstLine + index;
  }
  return paragraphs;
}

type Path = readonly (string | number)[];

interface FieldText {
  text: string;
  path: Path;
  /** Where its last part is. */
  last: Path;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function fieldTexts(value: unknown, path: Path, depth = 0): FieldText[] {
  const label = path.filter((step) => typeof step === 'string').join('.');
  if (isPlain(value)) return value === '' ? [] : [{ text: `${label}: ${value}`, path, last: path }];
  if (typeof value !== 'object' || value === null || depth >= FURTHEST_DEEP) return [];
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    const last = [...path, value.length - 1];
    return value.length > 0 ? [{ text: `${label}: ${value.join(', ')}`, path, last }] : [];
  }
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...entries].flatMap(([key, item]) => fieldTexts(item, [...path, key], depth + 1));
}

/** All passages of a file: paragraphs first. A file that cannot be read as an entity is all body. */
function allPassages(template: TemplateDefinition, text: string): Passage[] {
  const document = readDocument(text);
  if (!document.ok) return paragraphsOf(text, 1);
  const { data, head, body, lineOf } = document;
  const { own_fields: fields } = entityFromDocument(template, { data, body, folderId: '' });
  const ofFields = fieldTexts(fields, []).map(({ text: shown, path, last }) => ({
    text: shown.replaceAll(/\s+/g, ' ').trim(),
    line: lineOf(path),
    end_line: lineOf(last),
  }));
  return [...paragraphsOf(body, breaksIn(head) + 1), ...ofFields];
}

/** The passages that best match the question, as they are written; the opening words if none does. */
export function passagesOf(template: TemplateDefinition, text: string, terms: readonly string[]): Passage[] {
  const passages = allPassages(template, text);
  const wanted = new Set(terms);
  const fitting = passages
    .map((passage, order) => ({
      passage,
      order,
      fits: new Set(searchTokens(passage.text)).intersection(wanted).size,
    }))
    .filter(({ fits }) => fits > 0)
    .sort((one, other) => other.fits - one.fits || one.order - other.order)
    .map(({ passage }) => passage);
  const chosen = fitting.length > 0 ? fitting : passages.slice(0, 1);
  return chosen.slice(0, MOST_PASSAGES).map((passage) => ({ ...passage, text: shortened(passage.text) }));
}
