import type { Readable } from 'node:stream';
import { HttpError } from '../errors.ts';
import { Reply } from '../route.ts';
import { type HeaderValue, headerNames } from './etag.ts';
import { type ByteRange, readRange } from './ranges.ts';

export interface ServedFile {
  size: number;
  modifiedMs: number;
  /** Strong, with its quotes. */
  etag: string;
  type: string;
  headers: Readonly<Record<string, string>>;
  stream(range?: ByteRange): Readable;
  close(): void;
}

type RequestHeaders = Readonly<Record<string, HeaderValue>>;

const first = (header: HeaderValue): string | undefined => (Array.isArray(header) ? header[0] : header);

/** HTTP dates have whole seconds. */
const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/**
 * RFC 9110: 304 for an unchanged file, 206 for a range, 416 for one outside the file. The file is closed or streamed in
 * every case.
 */
export function fileReply(file: ServedFile, request: RequestHeaders): Reply {
  const headers: Record<string, string> = {
    ...file.headers,
    etag: file.etag,
    'last-modified': new Date(file.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  };
  if (isKnown(file, request)) {
    file.close();
    return new Reply('', { status: 304, headers });
  }
  const range = isRangeMeant(file, request) ? readRange(first(request.range), file.size) : 'whole';
  if (range === 'none') {
    file.close();
    throw new HttpError(416, `The file has ${file.size} bytes, and the range is outside of them`, {
      code: 'no_such_range',
      headers: { 'content-range': `bytes */${file.size}`, 'accept-ranges': 'bytes' },
    });
  }
  headers['content-type'] = file.type;
  if (range === 'whole')
    return new Reply(file.stream(), { headers: { ...headers, 'content-length': String(file.size) } });
  const { start, end } = range;
  return new Reply(file.stream(range), {
    status: 206,
    headers: {
      ...headers,
      'content-range': `bytes ${start}-${end}/${file.size}`,
      'content-length': String(end - start + 1),
    },
  });
}

function isKnown({ etag, modifiedMs }: ServedFile, request: RequestHeaders): boolean {
  if (request['if-none-match'] !== undefined) return headerNames(request['if-none-match'], etag);
  const since = Date.parse(first(request['if-modified-since']) ?? '');
  return !Number.isNaN(since) && seconds(modifiedMs) <= seconds(since);
}

/** `If-Range`: a range is useful only to a client that has the rest of the same bytes. */
function isRangeMeant({ etag, modifiedMs }: ServedFile, request: RequestHeaders): boolean {
  const condition = first(request['if-range'])?.trim();
  if (condition === undefined) return true;
  return condition === etag || seconds(Date.parse(condition)) === seconds(modifiedMs);
}
