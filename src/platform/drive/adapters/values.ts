import { isMap, type JsonMap } from '../../../text/json.ts';

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The drive writes large numbers as text. */
export function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

export function timeIn(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

export const mapsIn = (value: unknown): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** With the question mark; without parameters that are undefined. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return `?${query}`;
}

/** Shared drives are left out unless every request asks for them. */
export const ALL_DRIVES = { supportsAllDrives: true };
export const FROM_ALL_DRIVES = { ...ALL_DRIVES, includeItemsFromAllDrives: true };

export const filePath = (fileId: string): string => `/drive/v3/files/${encodeURIComponent(fileId)}`;

export const jsonOf = (value: object) => ({
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
});
