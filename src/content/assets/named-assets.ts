import { isMap } from '../../text/json.ts';
import { mimeTypeOf } from '../paths/index.ts';

export interface NamedAsset {
  /** Dotted. */
  field: string;
  value: string;
}

const LONGEST = 500;

/** Network addresses are no paths. */
function isAssetPath(text: string): boolean {
  if (text.length > LONGEST || /[\n\r\0\\]|^\w+:\/\/|^data:/.test(text)) return false;
  return /^(?:image|audio|video|model)\//.test(mimeTypeOf(text) ?? '');
}

/** At any depth. */
export function namedAssets(value: unknown, field = ''): NamedAsset[] {
  if (typeof value === 'string') return isAssetPath(value) ? [{ field, value }] : [];
  const inner = (key: string) => (field === '' ? key : `${field}.${key}`);
  if (Array.isArray(value)) return value.flatMap((item, index) => namedAssets(item, inner(String(index))));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => namedAssets(item, inner(key)));
}

/** From the entity's folder or from the project's root. Empty for a path that leads out of it. */
export function placesOf(value: string, entityFolder: string): string[] {
  const parts = value.replace(/^\.?\//, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return [];
  const path = parts.join('/');
  return [`${entityFolder}/${path}`, path];
}
