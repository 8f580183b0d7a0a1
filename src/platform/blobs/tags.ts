import { BlobsError, type PutOptions } from './blobs.ts';

/** An entity tag without the quotes that some answers of a provider have and others have not. */
export const plainTag = (tag: string | undefined): string => (tag ?? '').replaceAll('"', '');

/** As headers have it. */
export const quotedTag = (tag: string): string => `"${tag}"`;

/** The headers that a provider understands, by its SDK's names for them. */
export function conditionsOf(only: PutOptions['only']): { ifNoneMatch?: string; ifMatch?: string } {
  if (only === undefined) return {};
  return 'ifAbsent' in only ? { ifNoneMatch: '*' } : { ifMatch: quotedTag(only.ifEtag) };
}

/** Throws `changed` where what is there, if anything, is not what the condition names. */
export function requireCondition(only: PutOptions['only'], present: string | null): void {
  if (only === undefined) return;
  if ('ifAbsent' in only ? present !== null : present !== only.ifEtag) throw changed();
}

export const changed = (options?: ErrorOptions) =>
  new BlobsError('changed', 'The object was changed meanwhile', options);
