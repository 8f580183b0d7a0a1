import { searchTokens } from '../../content/search-text.ts';

export interface SearchedEntity {
  entity_type: string;
  entity_id: string;
  name: string;
  fields: Record<string, unknown>;
  markdown_body: string;
}

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

const LONGEST = 400;
const MOST_PASSAGES = 2;
const FURTHEST_DEEP = 6;

const shortened = (text: string): string => {
  const letters = [...text];
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST).join('').trimEnd()} …`;
};

const paragraphsOf = (body: string): string[] =>
  body
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .filter((line) => !/^#{1,6}\s/.test(line))
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '');

function linesOf(value: unknown, path: string, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value === '' ? [] : [`${path}: ${value}`];
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object'))
      return value.length > 0 ? [`${path}: ${value.join(', ')}`] : [];
    return depth < FURTHEST_DEEP ? value.flatMap((item) => linesOf(item, path, depth + 1)) : [];
  }
  if (typeof value !== 'object' || value === null || depth >= FURTHEST_DEEP) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    linesOf(item, path === '' ? key : `${path}.${key}`, depth + 1),
  );
}

/** The passages that best match the question, verbatim; the opening words if none does. */
export function passagesOf(entity: SearchedEntity, terms: readonly string[]): string[] {
  const paragraphs = paragraphsOf(entity.markdown_body);
  const places = [...paragraphs, ...linesOf(entity.fields, '')];
  const wanted = new Set(terms);
  const fitting = places
    .map((text, order) => ({ text, order, fits: new Set(searchTokens(text)).intersection(wanted).size }))
    .filter(({ fits }) => fits > 0)
    .sort((one, other) => other.fits - one.fits || one.order - other.order);
  const chosen = fitting.length > 0 ? fitting.map(({ text }) => text) : paragraphs.slice(0, 1);
  return chosen.slice(0, MOST_PASSAGES).map(shortened);
}
