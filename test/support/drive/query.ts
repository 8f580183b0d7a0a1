import { invalid } from './api-error.ts';

/** A query of the drive's language. `and` and `or` bind equally and are read from left to right. */
export type Query =
  | { kind: 'and' | 'or'; left: Query; right: Query }
  | { kind: 'not'; inner: Query }
  | { kind: 'in'; value: string; field: string }
  | { kind: 'has'; field: string; key: string; value: string }
  | { kind: 'compare'; field: string; operator: string; value: string | boolean };

interface Token {
  kind: 'string' | 'word' | 'sign';
  text: string;
}

const EQUAL = ['=', '!='];
const ORDER = ['<=', '<', '=', '!=', '>', '>='];
const OPERATORS: Record<string, { operators: string[]; type: 'string' | 'boolean' | 'time' }> = {
  name: { operators: [...EQUAL, 'contains'], type: 'string' },
  fullText: { operators: ['contains'], type: 'string' },
  mimeType: { operators: [...EQUAL, 'contains'], type: 'string' },
  modifiedTime: { operators: ORDER, type: 'time' },
  createdTime: { operators: ORDER, type: 'time' },
  viewedByMeTime: { operators: ORDER, type: 'time' },
  trashed: { operators: EQUAL, type: 'boolean' },
  starred: { operators: EQUAL, type: 'boolean' },
  sharedWithMe: { operators: EQUAL, type: 'boolean' },
  visibility: { operators: EQUAL, type: 'string' },
};

/** Throws 400 `invalid` as for any query that the drive does not accept. */
export function parseQuery(text: string): Query {
  const tokens = tokensOf(text);
  const query = parseAny();
  if (tokens.length > 0) throw wrong();
  return query;

  function next(kind?: Token['kind']): string {
    const token = tokens.shift();
    if (!token || (kind && token.kind !== kind)) throw wrong();
    return token.text;
  }

  function isNext(word: string): boolean {
    return tokens[0]?.kind !== 'string' && tokens[0]?.text === word;
  }

  function parseAny(): Query {
    let left = parseOne();
    while (isNext('and') || isNext('or')) {
      const kind = next() as 'and' | 'or';
      left = { kind, left, right: parseOne() };
    }
    return left;
  }

  function parseOne(): Query {
    if (isNext('not')) {
      next();
      return { kind: 'not', inner: parseOne() };
    }
    if (isNext('(')) {
      next();
      const inner = parseAny();
      if (!isNext(')')) throw wrong();
      next();
      return inner;
    }
    if (tokens[0]?.kind === 'string') return parseIn();
    const field = next('word');
    return isNext('has') ? parseHas(field) : parseCompare(field);
  }

  function parseIn(): Query {
    const value = next('string');
    if (next('word') !== 'in') throw wrong();
    const field = next('word');
    if (!['parents', 'owners', 'writers', 'readers'].includes(field)) throw wrong();
    return { kind: 'in', value, field };
  }

  function parseHas(field: string): Query {
    if (!['properties', 'appProperties'].includes(field)) throw wrong();
    for (const expected of ['has', '{', 'key', '=']) if (next() !== expected) throw wrong();
    const key = next('string');
    for (const expected of ['and', 'value', '=']) if (next() !== expected) throw wrong();
    const value = next('string');
    if (next() !== '}') throw wrong();
    return { kind: 'has', field, key, value };
  }

  function parseCompare(field: string): Query {
    const known = Object.hasOwn(OPERATORS, field) ? OPERATORS[field] : undefined;
    const operator = next();
    if (!known?.operators.includes(operator)) throw wrong();
    if (known.type === 'boolean') {
      const value = next('word');
      if (value !== 'true' && value !== 'false') throw wrong();
      return { kind: 'compare', field, operator, value: value === 'true' };
    }
    const value = next('string');
    if (known.type === 'time' && Number.isNaN(timeOf(value))) throw wrong();
    return { kind: 'compare', field, operator, value };
  }
}

/** A time without a zone is UTC. */
export const timeOf = (text: string): number => {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    return NaN;
  return Date.parse(/T.*(?:Z|[+-]\d{2}:\d{2})$|^[^T]*$/.test(text) ? text : `${text}Z`);
};

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:'((?:[^'\\]|\\.)*)'|([A-Za-z]\w*)|(<=|>=|!=|[=<>(){}]))\s*/suy;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (!found) throw wrong();
    const [, string, word, sign] = found;
    if (string !== undefined) tokens.push({ kind: 'string', text: string.replace(/\\(.)/gsu, '$1') });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

const wrong = () => invalid('q');
