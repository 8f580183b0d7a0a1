import { badRequest, HttpError, invalid, tooLarge } from '../../kit/errors.ts';
import { LARGEST_RESUMABLE } from '../assets/upload.contract.ts';

/** Header values of the tus protocol, 1.0.0 with creation, expiration and termination. */

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export const VERSION = { 'tus-resumable': '1.0.0' };

export const CAPABILITIES = {
  ...VERSION,
  'tus-version': VERSION['tus-resumable'],
  'tus-extension': 'creation,expiration,termination',
  'tus-max-size': String(LARGEST_RESUMABLE),
};

const refusal = (field: string, message: string) =>
  invalid(`${field} ${message}`, { code: 'invalid_request', errors: [{ field, message }] });

/** 412 unless the request has this version. */
export function requireVersion(headers: Headers): void {
  if (headers['tus-resumable'] === VERSION['tus-resumable']) return;
  throw new HttpError(412, 'Send the header Tus-Resumable: 1.0.0', {
    code: 'wrong_version',
    headers: { ...VERSION, 'tus-version': VERSION['tus-resumable'] },
  });
}

/** Throws 400 for a request to concatenate uploads: each would become an asset of its own. */
export function refuseConcatenation(headers: Headers): void {
  if (headers['upload-concat'] === undefined) return;
  throw badRequest(
    'Uploads are not joined here (Upload-Concat): send the file as one upload, not in parallel ones',
    { code: 'invalid_message' },
  );
}

function bytesIn(headers: Headers, name: string): number {
  const text = headers[name.toLowerCase()];
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw badRequest(`Send the header ${name} with a number of bytes`, { code: 'invalid_message' });
  return Number(text);
}

export const readOffset = (headers: Headers): number => bytesIn(headers, 'Upload-Offset');

export function readLength(headers: Headers): number {
  const size = bytesIn(headers, 'Upload-Length');
  if (size === 0) throw refusal('Upload-Length', 'must be at least 1');
  if (size > LARGEST_RESUMABLE)
    throw tooLarge(`An upload has at most ${LARGEST_RESUMABLE} bytes`, { code: 'too_large' });
  return size;
}

const PAIR = /^(?<key>[!-+\--~]{1,100})(?: (?<value>[A-Za-z0-9+/]*={0,2}))?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the pairs of `Upload-Metadata`: plain keys, values in base64 of UTF-8; keys without a value are left out. */
export function readMetadata(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(',')) {
    const { key, value } = PAIR.exec(part.trim())?.groups ?? {};
    if (key === undefined || found.has(key))
      throw badRequest('Upload-Metadata must be pairs of a key and a value in base64, each key once', {
        code: 'invalid_message',
      });
    if (value) found.set(key, textOf(key, Buffer.from(value, 'base64')));
  }
  return found;
}

function textOf(key: string, bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // The error follows below, together with that for NUL.
  }
  throw refusal(key, 'must be text in UTF-8 without NUL');
}
