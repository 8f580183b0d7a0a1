import { cutAfter } from '../../text/cut.ts';
import { isMap } from '../../text/json.ts';
import type { AnswerSchema } from './answer-schema.ts';

export interface AnswerProblem {
  /** Dotted path in the answer; '' for the whole. */
  path: string;
  message: string;
}

const shown = (value: unknown): string => cutAfter(JSON.stringify(value) ?? String(value), 60);
const under = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

const KINDS: Readonly<Record<string, [words: string, isOf: (value: unknown) => boolean]>> = {
  string: ['text', (value) => typeof value === 'string'],
  number: ['a number', (value) => Number.isFinite(value)],
  integer: ['a whole number', Number.isSafeInteger],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  null: ['null', (value) => value === null],
  array: ['a list', Array.isArray],
  object: ['an object', isMap],
};

/** Where a value breaks a schema that `answerSchema` made. Each message says what is expected and what is there. */
export function checkSchema(schema: AnswerSchema, value: unknown, path = ''): AnswerProblem[] {
  if (Array.isArray(schema.anyOf)) return checkChoice(schema.anyOf, value, path);
  if (Array.isArray(schema.enum)) {
    const isOne = schema.enum.includes(value);
    return isOne ? [] : [{ path, message: `must be one of ${schema.enum.join(', ')}, is ${shown(value)}` }];
  }
  const [words, isOf] = KINDS[String(schema.type)] ?? [];
  if (words !== undefined && !isOf?.(value))
    return [{ path, message: `must be ${words}, is ${shown(value)}` }];
  if (typeof value === 'string') return checkText(schema, value, path);
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (Array.isArray(value)) return checkList(schema, value, path);
  return isMap(value) ? checkMap(schema, value, path) : [];
}

/** The problems of the first alternative, unless another one fits: the first is what the field really wants. */
function checkChoice(alternatives: readonly AnswerSchema[], value: unknown, path: string): AnswerProblem[] {
  const found = alternatives.map((schema) => checkSchema(schema, value, path));
  return found.some((problems) => problems.length === 0) ? [] : (found[0] ?? []);
}

function checkText(
  { minLength, maxLength, pattern }: AnswerSchema,
  value: string,
  path: string,
): AnswerProblem[] {
  if (Number(minLength ?? 0) > value.trim().length) return [{ path, message: 'must not be empty' }];
  if (Number(maxLength ?? Infinity) < value.length)
    return [{ path, message: `must have at most ${maxLength} characters, has ${value.length}` }];
  if (typeof pattern !== 'string' || new RegExp(pattern).test(value)) return [];
  return [{ path, message: `must be an id (lower-case letters, digits and _), is ${shown(value)}` }];
}

function checkNumber({ minimum, maximum }: AnswerSchema, value: number, path: string): AnswerProblem[] {
  const fits = value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity);
  return fits
    ? []
    : [{ path, message: `must be from ${minimum ?? 'any'} to ${maximum ?? 'any'}, is ${value}` }];
}

function checkList(
  { items, maxItems }: AnswerSchema,
  value: readonly unknown[],
  path: string,
): AnswerProblem[] {
  if (Number(maxItems ?? Infinity) < value.length)
    return [{ path, message: `must have at most ${maxItems} entries, has ${value.length}` }];
  return isMap(items) ? value.flatMap((entry, index) => checkSchema(items, entry, under(path, index))) : [];
}

function checkMap(schema: AnswerSchema, value: Record<string, unknown>, path: string): AnswerProblem[] {
  const properties = isMap(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: under(path, name), message: 'is missing' }));
  const inner = Object.entries(value).flatMap(([name, entry]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isMap(property)) return checkSchema(property, entry, under(path, name));
    return schema.additionalProperties === false
      ? [{ path: under(path, name), message: 'was not asked for' }]
      : [];
  });
  return [...missing, ...inner];
}
