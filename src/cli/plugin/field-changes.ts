import { cutWithin } from '../../text/cut.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import { updateIn } from '../../world/plugins/index.ts';
import { count } from '../terminal.ts';

export interface FieldChange {
  /** `name`, `status`, `markdown_body`, or the name of a field below `fields.`. */
  field: string;
  before: unknown;
  after: unknown;
}

/** The changes that a save hook's answer makes to an entity, both as JSON, by the service's own reading. */
export function fieldChanges(entity: string, answer: string): FieldChange[] {
  const { fields = {}, ...attributes } = updateIn(entity, answer) ?? {};
  const before: JsonMap = JSON.parse(entity);
  const fieldsBefore = isMap(before.fields) ? before.fields : {};
  return [
    ...Object.entries(attributes).map(([name, after]) => ({ field: name, before: before[name], after })),
    ...Object.entries(fields).map(([name, after]) => ({
      field: `fields.${name}`,
      before: fieldsBefore[name] ?? null,
      after,
    })),
  ];
}

/** Characters of a value that are shown, from shortly before the first difference. */
const WIDEST = 60;
const BEFORE = 20;

/** Texts of several lines are compared line by line. */
export function changeLine({ field, before, after }: FieldChange): string {
  if (typeof before !== 'string' || typeof after !== 'string') return `${field}: ${pair(before, after)}`;
  const [old, next] = [before.split('\n'), after.split('\n')];
  if (old.length === 1 && next.length === 1) return `${field}: ${pair(before, after)}`;
  const most = Math.max(old.length, next.length);
  const changed = Array.from({ length: most }, (_, index) => index).filter((at) => old[at] !== next[at]);
  const [first = 0, ...others] = changed;
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'more line')})`;
  return `${field}, line ${first + 1}: ${pair(old[first] ?? '', next[first] ?? '')}${more}`;
}

function pair(before: unknown, after: unknown): string {
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)];
  let same = 0;
  while (same < old.length && old[same] === next[same]) same += 1;
  const from = same > WIDEST / 2 ? same - BEFORE : 0;
  const shown = (json: string) => `${from > 0 ? '…' : ''}${cutWithin(json.slice(from), WIDEST)}`;
  return `${shown(old)} → ${shown(next)}`;
}
