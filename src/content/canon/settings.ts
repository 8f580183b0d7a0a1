import { isMap, type JsonMap } from '../../text/json.ts';
import { type Calendar, declaredCalendar, REAL_CALENDAR } from './calendar/index.ts';
import { FINDING_KINDS, type FindingKind } from './finding.ts';

/** A project's calendar and switched-off checks; the file travels with the world. */
export const CANON_SETTINGS_PATH = '_Rules/canon.md';

export interface KindSetting {
  enabled: boolean;
  reason: string;
}

export interface AcceptedFinding {
  finding_id: string;
  reason: string;
}

export interface CanonSettings {
  /** Null: the real one. */
  declared: JsonMap | null;
  calendar: Calendar;
  checks: Readonly<Partial<Record<FindingKind, KindSetting>>>;
  accepted: readonly AcceptedFinding[];
}

/** `line` counts from 1; null if unknown. */
export interface SettingsProblem {
  field: string;
  message: string;
  line: number | null;
}

export const DEFAULT_CANON_SETTINGS: CanonSettings = {
  declared: null,
  calendar: REAL_CALENDAR,
  checks: {},
  accepted: [],
};

const isFindingKind = (word: string): word is FindingKind => Object.hasOwn(FINDING_KINDS, word);

type Path = readonly (string | number)[];
type Complain = (path: Path, message: string) => void;

/** Unusable settings are reported with their line and left out. */
export function readCanonSettings(
  data: JsonMap,
  lineOf: (path: Path) => number | null = () => null,
): { settings: CanonSettings; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const complain: Complain = (path, message) =>
    void problems.push({ field: path.join('.'), message, line: lineOf(path) });
  const { calendar, problems: ofCalendar } = declaredCalendar(data.calendar);
  for (const { path, message } of ofCalendar) complain(['calendar', ...path], message);
  const settings: CanonSettings = {
    declared: isMap(data.calendar) ? data.calendar : null,
    calendar,
    checks: readChecks(data.checks, complain),
    accepted: readAccepted(data.accepted, complain),
  };
  return { settings, problems };
}

function readChecks(value: unknown, complain: Complain): CanonSettings['checks'] {
  if (value === undefined || value === null) return {};
  if (!isMap(value)) {
    complain(['checks'], 'checks must map kinds of findings to `{enabled, reason}`');
    return {};
  }
  const known = Object.entries(value).flatMap(([kind, given]) => {
    const setting = typeof given === 'boolean' ? { enabled: given } : given;
    if (!isFindingKind(kind)) {
      complain(
        ['checks', kind],
        `there is no check '${kind}': known are ${Object.keys(FINDING_KINDS).join(', ')}`,
      );
    } else if (!isMap(setting) || typeof setting.enabled !== 'boolean') {
      complain(['checks', kind], `the check ${kind} must say whether it is enabled`);
    } else return [[kind, { enabled: setting.enabled, reason: reasonOf(setting) }] as const];
    return [];
  });
  return Object.fromEntries(known);
}

function readAccepted(value: unknown, complain: Complain): AcceptedFinding[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    complain(['accepted'], 'accepted must be a list of `{finding_id, reason}`');
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const id = isMap(entry) ? entry.finding_id : entry;
    if (typeof id === 'string' && id !== '') return [{ finding_id: id, reason: reasonOf(entry) }];
    complain(['accepted', index], 'an accepted finding has a finding_id, as text, and a reason');
    return [];
  });
}

const reasonOf = (entry: unknown): string =>
  isMap(entry) && typeof entry.reason === 'string' ? entry.reason : '';
