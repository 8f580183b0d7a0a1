import { deepEqual, isMap } from '../../text/json.ts';
import { checkValue, type Expected } from '../entity/check.ts';
import { convertValue } from '../migration/index.ts';
import { admitsOnlyOptions, type FieldDefinition } from '../template/index.ts';
import type { FixKind, Path, Proposal, Subject } from './types.ts';
import { valueAt } from './value-at.ts';
import { optionMeant } from './words.ts';

type Outcome = { kind: FixKind; reason: string } & ({ value: unknown } | { isRefused: true });

const refused = (kind: FixKind, reason: string): Outcome => ({ kind, reason, isRefused: true });

/** Values of the wrong type, or no option of their field, if their meaning is certain. */
export function proposeValues({ template, document, content }: Subject): Proposal[] {
  const proposals: Proposal[] = [];
  for (const field of template.fields) {
    if (!Object.hasOwn(content.own_fields, field.name)) continue;
    checkValue(field, content.own_fields[field.name], [field.name], (path, _code, _message, expected) => {
      const value = valueAt(document.data, path);
      proposals.push(proposalOf(path, outcomeOf(expected, value, document.sourceOf(path))));
    });
  }
  return proposals;
}

function proposalOf(path: Path, { kind, reason, ...outcome }: Outcome): Proposal {
  return 'value' in outcome
    ? { kind, path, reason, action: 'set', value: outcome.value }
    : { kind, path, reason, action: 'refuse' };
}

/** `source` is the value as written: a number may have lost its last zeros. */
function outcomeOf(expected: Expected, value: unknown, source: string | undefined): Outcome {
  const { type, field } = expected;
  if (value === null) return refused('list', 'the entry is empty: write it, or take it out');
  if (field !== null && admitsOnlyOptions(field) && typeof value !== 'object') {
    return toOption(field, value, typeof value === 'string' ? value : (source ?? ''));
  }
  if (type === 'array' && field !== null) return toList(field, value, source);
  const outcome = type === 'string' ? toText(value, source) : toScalar(type, value);
  return 'value' in outcome && field !== null && !fits(field, outcome.value)
    ? refused(outcome.kind, 'it is not certain which of the allowed values is meant')
    : outcome;
}

function fits(field: FieldDefinition, value: unknown): boolean {
  let isFaulty = false;
  checkValue(field, value, [], () => {
    isFaulty = true;
  });
  return !isFaulty;
}

function toOption(field: FieldDefinition, value: unknown, text: string): Outcome {
  const option = optionMeant(field.options ?? [], text);
  if (option === undefined || !fits(field, option.value) || deepEqual(option.value, value)) {
    return refused('option', 'it is not certain which of the options is meant');
  }
  return { kind: 'option', value: option.value, reason: `is the option ${option.label}, written otherwise` };
}

const REPEATED = 'it is written elsewhere in the file and repeated here';

function toText(value: unknown, source: string | undefined): Outcome {
  if (typeof value === 'object') return refused('type', 'only a single value can become text');
  if (source === undefined) return refused('type', REPEATED);
  return { kind: 'type', value: source, reason: `a ${typeof value} where text is meant` };
}

const LEADING_ZERO = /^[+-]?0\d/;

function toScalar(type: string, value: unknown): Outcome {
  const isNumber = type === 'number';
  if (typeof value === 'object' || (type !== 'boolean' && !isNumber)) {
    return refused('type', `nobody but its author can make it ${type === 'object' ? 'a mapping' : type}`);
  }
  const converted = convertValue(value, type as 'number' | 'boolean');
  const isExact =
    converted.ok &&
    (!isNumber || (Math.abs(Number(converted.value)) <= Number.MAX_SAFE_INTEGER && !hasLeadingZero(value)));
  if (!isExact || deepEqual(converted.value, value)) {
    return refused('type', `it is not certain which ${isNumber ? 'number' : 'of true and false'} is meant`);
  }
  const meant = isNumber ? 'a number' : 'true or false';
  return { kind: 'type', value: converted.value, reason: `says ${meant} in another way` };
}

/** `007` may be a code, and `010` was eight once. */
const hasLeadingZero = (value: unknown): boolean =>
  typeof value === 'string' && LEADING_ZERO.test(value.trim());

function toList(field: FieldDefinition, value: unknown, source: string | undefined): Outcome {
  if (value === '') return { kind: 'list', value: [], reason: 'nothing where a list is meant' };
  if (typeof value === 'string' && /[,;\n]/.test(value)) {
    return refused('list', 'it may be one entry or several: write them as a list');
  }
  const isEntry = field.items === 'any' || isMap(value) === (field.items === 'object');
  if (!isEntry) return refused('list', 'it is not what the entries of this list are');
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  const entry = isBare && field.items === 'string' ? source : value;
  return entry === undefined
    ? refused('list', REPEATED)
    : { kind: 'list', value: [entry], reason: 'a single value where a list is meant' };
}
