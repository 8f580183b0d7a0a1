import { badRequest } from '../../kit/errors.ts';
import { QUERY_FIELDS, type QueryField, type QueryValue } from './query-fields.ts';
import { quoted, type Token, tokensOf } from './query-tokens.ts';

const MOST_CHARACTERS = 1_000;
const MOST_DEPTH = 20;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)?$/;

type Connective = 'and' | 'or';

/** `connective` is the one between the conditions at its top. */
interface Part {
  text: string;
  connective: Connective | null;
}

/**
 * A term of the drive's query language in a normal form, so that nothing that was not understood is passed on. `and` and `or` have
 * the same rank and are read from the left; the normal form has parentheses where that could be read otherwise. Throws an `HttpError`
 * with status 400 that says where the term is wrong.
 */
export function checkDriveQuery(term: string): string {
  if (term.length > MOST_CHARACTERS)
    throw badRequest(`The query has ${term.length} characters; at most ${MOST_CHARACTERS} are possible`, {
      code: 'invalid_query',
    });
  const reader = createReader(tokensOf(term));
  const { text } = readTerm(reader, 0);
  reader.take('end', 'and, or, or the end');
  return text;
}

type Reader = ReturnType<typeof createReader>;

function createReader(tokens: readonly Token[]) {
  const rest = tokens.values();
  let ahead = rest.next();
  const next = (): Token => {
    if (ahead.done) throw new Error('read beyond the end');
    return ahead.value;
  };
  return {
    next,
    isNext: (...words: string[]) => next().kind === 'word' && words.includes(next().text.toLowerCase()),
    isSign: (sign: string) => next().kind === 'sign' && next().text === sign,
    take(kind: Token['kind'], expected: string, fits: (token: Token) => boolean = () => true): Token {
      const token = next();
      if (token.kind !== kind || !fits(token)) throw wrong(token, expected);
      if (kind !== 'end') ahead = rest.next();
      return token;
    },
  };
}

function wrong({ kind, text, position }: Token, expected: string) {
  const found = kind === 'end' ? 'it ends there' : `there is ${kind === 'text' ? quoted(text) : text}`;
  return badRequest(`The query is wrong at character ${position}: expected ${expected}, but ${found}`, {
    code: 'invalid_query',
  });
}

function readTerm(reader: Reader, depth: number): Part {
  let left = readCondition(reader, depth);
  while (reader.isNext('and', 'or')) {
    const connective = reader.take('word', 'and or or').text.toLowerCase() === 'and' ? 'and' : 'or';
    const right = readCondition(reader, depth);
    const isMixed = left.connective !== null && left.connective !== connective;
    left = { text: `${isMixed ? `(${left.text})` : left.text} ${connective} ${right.text}`, connective };
  }
  return left;
}

/** Its text stands on both sides of a connective without more parentheses. */
function readCondition(reader: Reader, depth: number): Part {
  if (depth > MOST_DEPTH) throw wrong(reader.next(), `at most ${MOST_DEPTH} conditions inside one another`);
  if (reader.isNext('not')) {
    reader.take('word', 'not');
    const { text } = readCondition(reader, depth + 1);
    return { text: text.startsWith('not ') ? text.slice(4) : `not ${text}`, connective: null };
  }
  if (reader.isSign('(')) {
    reader.take('sign', '(');
    const { text, connective } = readTerm(reader, depth + 1);
    reader.take('sign', 'and, or, or )', (token) => token.text === ')');
    return { text: connective === null ? text : `(${text})`, connective: null };
  }
  return { text: readComparison(reader), connective: null };
}

function readComparison(reader: Reader): string {
  if (reader.next().kind === 'text') {
    const { text } = reader.take('text', 'an id');
    reader.take('word', 'in', (token) => token.text.toLowerCase() === 'in');
    reader.take('word', 'parents', (token) => token.text.toLowerCase() === 'parents');
    return `${quoted(text)} in parents`;
  }
  const fields = `one of ${QUERY_FIELDS.map(({ name }) => name).join(', ')}, an id in quotes, not, or (`;
  const name = reader.take('word', fields, (token) => fieldOf(token) !== undefined);
  const field = fieldOf(name);
  if (field === undefined) throw wrong(name, fields);
  const operators = `one of the operators ${field.operators.join(' ')} of ${field.name}`;
  const { kind } = reader.next();
  const operator = reader.take(kind === 'word' ? 'word' : 'sign', operators, ({ text }) =>
    field.operators.includes(text.toLowerCase()),
  );
  return `${field.name} ${operator.text.toLowerCase()} ${readValue(reader, field.value)}`;
}

const fieldOf = ({ text }: Token): QueryField | undefined =>
  QUERY_FIELDS.find(({ name }) => name.toLowerCase() === text.toLowerCase());

function readValue(reader: Reader, value: QueryValue): string {
  if (value === 'flag')
    return reader
      .take('word', 'true or false', ({ text }) => /^(?:true|false)$/i.test(text))
      .text.toLowerCase();
  if (value === 'false') {
    const expected = 'false, as trashed files are left out';
    return reader.take('word', expected, ({ text }) => text.toLowerCase() === 'false').text.toLowerCase();
  }
  if (value === 'text') return quoted(reader.take('text', "text in quotes such as 'dragon'").text);
  const expected = "a time such as '2026-01-31T12:00:00Z'";
  return quoted(reader.take('text', expected, ({ text }) => isTime(text)).text);
}

/** Without a zone it is UTC, as the drive reads it. */
const isTime = (text: string): boolean => {
  const [, day] = /^\d{4}-\d{2}-(\d{2})/.exec(text) ?? [];
  // Dates such as 30 February pass for days of March.
  return (
    TIME.test(text) &&
    new Date(text.slice(0, 10)).getUTCDate() === Number(day) &&
    !Number.isNaN(Date.parse(text))
  );
};
