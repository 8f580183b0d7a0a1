import { Readable } from 'node:stream';
import { invalid } from '../../kit/errors.ts';
import { dispositionOf } from '../../kit/http/disposition.ts';
import { fileReply } from '../../kit/http/file-reply.ts';
import type { ByteRange } from '../../kit/http/ranges.ts';
import { Reply, type RouteRequest } from '../../kit/route.ts';
import { type Drive, DriveError, type DriveFile } from '../../platform/drive/drive.ts';

const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';
const PLAIN = { type: 'text/plain', ending: 'txt' };
/** Of the drive's own documents whose text is not plain. */
const EXPORTED_AS: Readonly<Record<string, typeof PLAIN>> = {
  'application/vnd.google-apps.spreadsheet': { type: 'text/csv', ending: 'csv' },
};

/** Nothing in it runs, whatever a browser takes it for. */
const SAFE = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
};

function requireFile({ isFolder, name }: DriveFile): void {
  if (isFolder) throw invalid(`'${name}' is a folder`, { code: 'is_folder' });
}

/** The text of a document, or the bytes of another file. */
export async function textReply(drive: Drive, file: DriveFile): Promise<Reply> {
  requireFile(file);
  const { fileId, name, mimeType, isNative } = file;
  const { type, ending } = EXPORTED_AS[mimeType] ?? PLAIN;
  const body = isNative ? await drive.export(fileId, type) : (await drive.download(fileId)).body;
  const shownName = isNative ? `${name}.${ending}` : name;
  return new Reply(body, {
    headers: { ...SAFE, 'content-type': TEXT, 'content-disposition': dispositionOf('attachment', shownName) },
  });
}

/** The bytes, or a range of them: 304, 206 and 416 as for any file. */
export async function bytesReply(
  drive: Drive,
  file: DriveFile,
  headers: RouteRequest['headers'],
): Promise<Reply> {
  requireFile(file);
  const { fileId, name, size, isNative, sha256, headRevisionId, modifiedAt } = file;
  if (isNative || size === null)
    throw invalid(`'${name}' is a document of the drive's own and has no bytes: export it`, {
      code: 'native_document',
    });
  const wanted: (ByteRange | undefined)[] = [];
  const reply = fileReply(
    {
      size,
      modifiedMs: modifiedAt,
      etag: `"${sha256 ?? headRevisionId ?? `${modifiedAt}-${size}`}"`,
      type: BYTES,
      headers: { ...SAFE, 'content-disposition': dispositionOf('attachment', name) },
      stream(range) {
        wanted.push(range);
        return Readable.from([]);
      },
      close() {},
    },
    headers,
  );
  if (wanted.length === 0) return reply;
  const body = await open(drive, fileId, size, wanted[0]);
  return new Reply(body, { headers: { ...reply.headers }, status: reply.status ?? 200 });
}

/** Opened once it is known what is sent, so that a refusal is still an answer. */
async function open(
  drive: Drive,
  fileId: string,
  size: number,
  range: ByteRange | undefined,
): Promise<Readable> {
  const download = await drive.download(
    fileId,
    range === undefined ? {} : { range: { first: range.start, last: range.end } },
  );
  const expected = range === undefined ? size : range.end - range.start + 1;
  if (download.size === null || download.size === expected) return download.body;
  download.body.destroy();
  throw new DriveError('unavailable', 'The file was changed just now: ask again', { retryAfter: 1 });
}
