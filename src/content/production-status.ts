import { isMap } from '../text/json.ts';
import { didYouMean } from '../text/near.ts';

/** The words of spec 1 §2.2; `notes` is free text beside them. */
const PRODUCTION_STATUS: Readonly<Record<string, readonly string[]>> = {
  general: ['concept', 'in_progress', 'needs_work', 'narrative_done', 'art_done', 'complete'],
  game_platform: ['none', 'planned', 'in_progress', 'review', 'published', 'live'],
  tv_showrunner: ['none', 'planned', 'in_progress', 'review', 'episode', 'current', 'archived'],
};

const KEYS = [...Object.keys(PRODUCTION_STATUS), 'notes'];

export interface ProductionStatusFault {
  code: 'wrong_type' | 'unknown_status' | 'unknown_key';
  /** Dotted, from the entity or template down. */
  field: string;
  message: string;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/** The whole value or any of its keys may be missing. */
export function productionStatusFaults(value: unknown): ProductionStatusFault[] {
  if (value === undefined || value === null || value === '') return [];
  if (isMap(value)) return Object.entries(value).flatMap(([key, entry]) => faultsOf(key, entry));
  const message = `must be a mapping of ${KEYS.join(', ')}, is ${shown(value)}`;
  return [{ code: 'wrong_type', field: 'production_status', message }];
}

function faultsOf(key: string, value: unknown): ProductionStatusFault[] {
  if (value === null || value === '') return [];
  const field = `production_status.${key}`;
  const words = Object.hasOwn(PRODUCTION_STATUS, key) ? PRODUCTION_STATUS[key] : undefined;
  if (words === undefined && key !== 'notes') {
    const message = `is not one of the keys ${KEYS.join(', ')}${didYouMean(key, KEYS)}`;
    return [{ code: 'unknown_key', field, message }];
  }
  if (words === undefined) {
    const message = `must be text, is ${shown(value)}`;
    return typeof value === 'string' ? [] : [{ code: 'wrong_type', field, message }];
  }
  if (typeof value === 'string' && words.includes(value)) return [];
  const near = typeof value === 'string' ? didYouMean(value, words) : '';
  const message = `must be one of ${words.join(', ')}, is ${shown(value)}${near}`;
  return [{ code: 'unknown_status', field, message }];
}

/** Null removes a key, or all of it. */
export const PRODUCTION_STATUS_SCHEMA = {
  type: ['object', 'null'],
  properties: {
    ...Object.fromEntries(
      Object.entries(PRODUCTION_STATUS).map(([key, words]) => [
        key,
        { type: ['string', 'null'], enum: [...words, '', null] },
      ]),
    ),
    notes: { type: ['string', 'null'] },
  },
} as const;
