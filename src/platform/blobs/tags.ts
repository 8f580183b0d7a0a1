import { BlobsError, type PutOptions } from './blobs.ts';

/** Some answers of a provider quote the etag. */
export const plainTag = (tag: string | undefined): string => (tag ?? '').replaceAll('"', '');

export const quotedTag = (tag: string): string => `"${tag}"`;

/** Under the SDKs' names for them. */
export function conditionsOf(only: PutOptions['only']): { ifNoneMatch?: string; ifMatch?: string } {
  if (only === undefined) return {};
  return 'ifAbsent' in only ? { ifNoneMatch: '*' } : { ifMatch: quotedTag(only.ifEtag) };
}

/** Throws `changed` otherwise. */
export function requireCondition(only: PutOptions['only'], present: string | null): void {
  if (only === undefined) return;
  if ('ifAbsent' in only ? present !== null : present !== only.ifEtag) throw changed();
}

export const changed = (options?: ErrorOptions) =>
  new BlobsError('changed', 'The object was changed meanwhile', options);
