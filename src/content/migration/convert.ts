import { isMap } from '../../text/json.ts';
import type { FieldType } from '../template/index.ts';

export type Converted = { ok: true; value: unknown } | { ok: false; reason: string };

const as = (value: unknown): Converted => ({ ok: true, value });
const no = (reason: string): Converted => ({ ok: false, reason });

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

/** Or why it cannot be converted. Null is empty in every type; nothing is guessed or cut. */
export function convertValue(value: unknown, type: FieldType): Converted {
  if (value === null) return as(null);
  switch (type) {
    case 'string':
      return toText(value);
    case 'number':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
    case 'array':
      if (Array.isArray(value)) return as(value);
      return as(value === '' ? [] : [value]);
    case 'object':
      return isMap(value) ? as(value) : no('a single value cannot become a mapping');
  }
}

function toText(value: unknown): Converted {
  if (!Array.isArray(value)) {
    return isMap(value) ? no('a mapping cannot become one text') : as(String(value));
  }
  const isPlain = value.every((item) => typeof item !== 'object' && !String(item).includes(','));
  return isPlain ? as(value.join(', ')) : no('its entries cannot be told apart in one text');
}

function toNumber(value: unknown): Converted {
  if (typeof value === 'number') return as(value);
  if (typeof value !== 'string') return no('is no number');
  const text = value.trim();
  if (text === '') return as(null);
  const number = Number(text);
  return NUMBER.test(text) && Number.isFinite(number) ? as(number) : no('is no number');
}

function toBoolean(value: unknown): Converted {
  if (typeof value === 'boolean') return as(value);
  if (typeof value === 'object') return no('is neither true nor false');
  const text = String(value).trim().toLowerCase();
  if (text === '') return as(null);
  if (TRUE.has(text)) return as(true);
  return FALSE.has(text) ? as(false) : no('is neither true nor false');
}
