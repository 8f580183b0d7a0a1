import { deepEqual, isMap, type JsonMap } from '../../text/json.ts';
import { bracketsIn } from '../template/index.ts';
import { answerSchema } from './answer-schema.ts';
import { extractJson } from './extract-json.ts';
import { withLineBreaksOf } from './hunks.ts';
import { type AnswerProblem, checkSchema } from './schema-check.ts';
import type { Target, TargetEntity } from './target.ts';
import { unsafeValue } from './unsafe-value.ts';

/** The change that an answer proposes. */
export interface AnswerChange {
  /** Null if none was asked for or given. */
  name: string | null;
  /** Only values that differ from the present ones. */
  fields: JsonMap;
  /** The whole body after the change; null leaves it as it is. */
  markdown_body: string | null;
}

export interface ReadAnswer {
  change: AnswerChange;
  /** Where it breaks the schema, for another try; the values stay in `change`. */
  problems: AnswerProblem[];
  /** Sentences about the parts left out of `change`: they were not asked for, or cannot be stored. */
  dropped: string[];
  /** Fields for which the model proposed nothing. */
  silent: string[];
}

const NO_JSON: AnswerProblem = {
  path: '',
  message: 'the answer is not one complete JSON object: answer with nothing but JSON',
};
const NOTHING: AnswerChange = { name: null, fields: {}, markdown_body: null };

/** Of a model's text. What lies outside the target never gets into the change. */
export function readAnswer(target: Target, entity: TargetEntity | null, answer: string): ReadAnswer {
  const found = extractJson(answer);
  if (found === undefined) return { change: NOTHING, problems: [NO_JSON], dropped: [], silent: [] };
  const { kept, dropped } = withinTarget(target, lifted(target, found));
  const fields = isMap(kept.fields) ? kept.fields : {};
  const change = {
    name: typeof kept.name === 'string' ? kept.name.trim() : null,
    fields: changedFields(fields, entity),
    markdown_body: bodyOf(target, entity, kept),
  };
  const problems = [...checkSchema(answerSchema(target), kept), ...leftBrackets(target, kept)];
  const silent = Object.keys(fields).filter((name) => fields[name] === null);
  return { change, problems, dropped, silent };
}

/** Models that know no schema often leave out the level `fields`. */
function lifted(target: Target, answer: JsonMap): JsonMap {
  const named = target.fields.filter(({ name }) => Object.hasOwn(answer, name));
  if (Object.hasOwn(answer, 'fields') || named.length === 0) return answer;
  const fields = Object.fromEntries(named.map(({ name }) => [name, answer[name]]));
  const rest = Object.entries(answer).filter(([key]) => !Object.hasOwn(fields, key) || isOwnKey(target, key));
  return { ...Object.fromEntries(rest), fields };
}

const isOwnKey = ({ name, body, passages }: Target, key: string): boolean =>
  (key === 'name' && name) ||
  (key === 'markdown_body' && body) ||
  (key === 'passages' && passages.length > 0);

function withinTarget(target: Target, answer: JsonMap): { kept: JsonMap; dropped: string[] } {
  const dropped: string[] = [];
  const pick = (values: JsonMap, isAsked: (key: string) => boolean, place: string): JsonMap => {
    const kept = Object.entries(values).filter(([key, value]) => {
      const unsafe = isAsked(key) ? unsafeValue(value) : 'it was not asked for';
      if (unsafe !== null) dropped.push(`${place}${key.slice(0, 100)} was dropped: ${unsafe}`);
      return unsafe === null;
    });
    return Object.fromEntries(kept);
  };
  const isField = (key: string) => target.fields.some(({ name }) => name === key);
  const isPassage = (key: string) => target.passages.some((passage) => passage.key === key);
  const { fields, passages, ...rest } = answer;
  const kept = pick(rest, (key) => isOwnKey(target, key), '');
  if (isMap(fields)) {
    const inner = pick(fields, isField, 'fields.');
    if (target.fields.length > 0) kept.fields = inner;
  }
  if (isMap(passages)) {
    const inner = pick(passages, isPassage, 'passages.');
    if (target.passages.length > 0) kept.passages = inner;
  }
  return { kept, dropped };
}

const changedFields = (fields: JsonMap, entity: TargetEntity | null): JsonMap =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== null && !deepEqual(value, entity?.fields[name]),
    ),
  );

function bodyOf(target: Target, entity: TargetEntity | null, answer: JsonMap): string | null {
  const before = entity?.markdown_body ?? '';
  const after = target.body
    ? wholeBody(before, answer.markdown_body)
    : withPassages(before, target, answer.passages);
  return after === before ? null : after;
}

function wholeBody(before: string, given: unknown): string {
  if (typeof given !== 'string') return before;
  const text = withLineBreaksOf(before, given);
  const lineBreak = /\r?\n$/.exec(before)?.[0] ?? '';
  return text.endsWith('\n') ? text : text + lineBreak;
}

/** Outside of the passages every byte stays. */
function withPassages(before: string, { passages }: Target, given: unknown): string {
  if (!isMap(given)) return before;
  let [text, at] = ['', 0];
  for (const { key, start, end } of passages) {
    const value = given[key];
    if (typeof value !== 'string') continue;
    text += before.slice(at, start) + withLineBreaksOf(before, value);
    at = end;
  }
  return text + before.slice(at);
}

/** An answer that repeats the instruction is none. */
function leftBrackets({ passages }: Target, { passages: given }: JsonMap): AnswerProblem[] {
  if (!isMap(given)) return [];
  return passages.flatMap(({ key, kind, text }) => {
    const value = given[key];
    const isLeft =
      kind === 'placeholder' &&
      typeof value === 'string' &&
      bracketsIn(value).some((left) => left.text === text);
    return isLeft ? [{ path: `passages.${key}`, message: `still has the instruction ${text}` }] : [];
  });
}
