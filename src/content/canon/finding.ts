import { cutWithin } from '../../text/cut.ts';
import type { Finding, Severity } from '../findings/index.ts';
import { type CanonEntity, keyOf, type Path } from './model.ts';

/** With the words of reports. */
export const FINDING_KINDS = {
  after_end: 'Takes part after death or end',
  before_start: 'Takes part before birth or beginning',
  place_gone: 'Set in a place that was destroyed before',
  out_of_order: 'Out of order',
  lineage: 'Child older than parent',
  two_places: 'In two places at one time',
  owned_twice: 'A unique thing owned twice',
  cyclic_parents: 'Its own ancestor',
  unreadable_date: 'A date that cannot be read',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

export interface Side {
  entity: CanonEntity;
  path: Path;
  value: unknown;
  /** The dated entry around it, as written. */
  within?: unknown;
}

export interface CanonFinding extends Finding<FindingKind> {
  /** An unreadable date has only one side. */
  sides: readonly Side[];
  /** The same for the same contradiction, wherever its lines move. */
  key: string;
}

/** The checks of one run share what they know of the world. */
export type Check = (entity: CanonEntity) => CanonFinding[];

/** By entity, field and target, not by its place in a list or a file. */
function sideKey({ entity, path, value, within }: Side): string {
  const names = path.filter((step) => typeof step === 'string').join('.');
  const isListed = path.some((step) => typeof step === 'number');
  const entry = within === undefined || within === value ? '' : `@${JSON.stringify(within)}`;
  return `${keyOf(entity)}:${names}${isListed ? `=${JSON.stringify(value)}` : ''}${entry}`;
}

export function finding(
  kind: FindingKind,
  severity: Severity,
  message: string,
  sides: readonly Side[],
): CanonFinding {
  return { kind, severity, message, sides, key: [kind, ...sides.map(sideKey)].join('|') };
}

const YEAR = /^-?\d{1,6}$/;
const NUMBERS = /\d+/g;

/** In a sentence: `in 1090`, `on 0410-03-04`, `in Winter 1110`. */
export function when(value: unknown): string {
  const text = shown(value);
  const isDay = !YEAR.test(text) && (text.match(NUMBERS) ?? []).length > 1;
  return `${isDay ? 'on' : 'in'} ${text}`;
}

/** As a file writes it, for messages. */
export const shown = (value: unknown): string => {
  const text =
    typeof value === 'string' ? (/^([^:[]{1,60}):\s/.exec(value)?.[1] ?? value) : JSON.stringify(value);
  return cutWithin(text, 60);
};
