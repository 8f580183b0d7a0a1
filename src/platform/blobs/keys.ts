import { isSafeName, isTemporaryName } from '../files/paths.ts';
import { BlobsError } from './blobs.ts';

/** Written and removed when a folder is tested (spec 2 §8.1), so it never holds content. */
export const PROBE_FILE = '.sb-config-probe.tmp';

/** The limit of S3, which is also short enough for Azure. */
const MOST_BYTES = 1_024;
const MOST_BYTES_OF_NAME = 255;

/** Throws `bad_key` unless every store can hold the key. */
export function safeKey(key: string): string {
  const problem = problemOf(key);
  if (problem === null) return key;
  throw new BlobsError('bad_key', `An object's key ${problem}`);
}

export const isReservedName = (name: string): boolean => name === PROBE_FILE || isTemporaryName(name);

function problemOf(key: string): string | null {
  const names = key.split('/');
  if (!key.isWellFormed() || !names.every(isSafeName))
    return 'is no path: it has an empty part, `.`, `..`, a backslash or a character that is none';
  if (names.some(isReservedName)) return 'has a reserved name in it';
  if (
    Buffer.byteLength(key) > MOST_BYTES ||
    names.some((name) => Buffer.byteLength(name) > MOST_BYTES_OF_NAME)
  )
    return `is too long: ${MOST_BYTES} bytes, and ${MOST_BYTES_OF_NAME} for each part of it`;
  return null;
}
