import { badRequest } from './api-error.ts';

export interface Part {
  /** With lower-case names. */
  headers: Record<string, string>;
  body: Buffer;
}

/** The parts of a `multipart/…` body. */
export function partsOf(body: Buffer, contentType = ''): Part[] {
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw badRequest('Missing boundary of a multipart body.');
  const delimiter = Buffer.from(`--${name}`);
  const parts: Part[] = [];
  let at = body.indexOf(delimiter);
  while (at >= 0) {
    const start = body.indexOf('\r\n', at) + 2;
    const end = body.indexOf(Buffer.from(`\r\n--${name}`), start - 2);
    if (body.subarray(at + delimiter.length, at + delimiter.length + 2).toString() === '--') return parts;
    if (end < 0 || start < 2) break;
    parts.push(partOf(body.subarray(start, Math.max(end, start))));
    at = end + 2;
  }
  throw badRequest('Malformed multipart body.');
}

function partOf(bytes: Buffer): Part {
  const isBare = bytes.subarray(0, 2).toString() === '\r\n';
  const end = isBare ? 0 : bytes.indexOf('\r\n\r\n');
  if (end < 0) throw badRequest('Malformed multipart body.');
  return {
    headers: headersOf(bytes.subarray(0, end).toString()),
    body: bytes.subarray(end + (isBare ? 2 : 4)),
  };
}

export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\r\n')
      .filter(Boolean)
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
