import { invalidParameter } from './api-error.ts';

/** The names that an object has; true for a plain value. */
export interface Schema {
  [name: string]: Schema | true;
}

/** The fields asked for of an object; true for all of it. */
type Selection = Map<string, Selection | true>;

/** A part of an answer as `fields` asks for it. */
export function selectFields(answer: object, fields: string, schema: Schema): object {
  const selection = parseFields(fields);
  check(selection, schema);
  return pick(answer, selection) as object;
}

function parseFields(fields: string): Selection {
  let at = 0;
  const wrong = () => invalidParameter('fields', `Invalid field selection ${fields}`);
  const list = (): Selection => {
    const selection: Selection = new Map();
    for (;;) {
      const path = /^\s*([\w*]+(?:\/[\w*]+)*)\s*/.exec(fields.slice(at));
      if (!path?.[1]) throw wrong();
      at += path[0].length;
      let inner: Selection | true = true;
      if (fields[at] === '(') {
        at += 1;
        inner = list();
        if (fields[at] !== ')') throw wrong();
        at += /^\)\s*/.exec(fields.slice(at))?.[0].length ?? 0;
      }
      add(selection, path[1].split('/'), inner);
      if (fields[at] !== ',') return selection;
      at += 1;
    }
  };
  const selection = list();
  if (at < fields.length) throw wrong();
  return selection;
}

function add(selection: Selection, [name = '', ...rest]: string[], inner: Selection | true): void {
  const before = selection.get(name);
  if (before === true) return;
  if (rest.length === 0 && inner === true) return void selection.set(name, true);
  const below: Selection = before ?? new Map();
  selection.set(name, below);
  if (rest.length > 0) add(below, rest, inner);
  else if (inner !== true) for (const [key, value] of inner) add(below, [key], value);
}

function check(selection: Selection, schema: Schema): void {
  for (const [name, inner] of selection) {
    if (name === '*') continue;
    const known = schema[name];
    const isFree = schema['*'] === true;
    if (known === undefined && !isFree) throw invalidParameter('fields', `Invalid field selection ${name}`);
    if (inner === true) continue;
    if (known === true || known === undefined)
      throw invalidParameter('fields', `Invalid field selection ${[...inner.keys()][0]}`);
    check(inner, known);
  }
}

function pick(value: unknown, selection: Selection | true): unknown {
  if (selection === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, selection));
  const every = selection.get('*');
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const wanted = selection.get(name) ?? every;
      return wanted === undefined ? [] : [[name, pick(inner, wanted)]];
    }),
  );
}
