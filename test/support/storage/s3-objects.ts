import { createHash, randomUUID } from 'node:crypto';

export interface S3Request {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export interface S3Reply {
  status: number;
  body?: Buffer | string;
  headers?: Record<string, string>;
}

export type S3Operation =
  | 'put'
  | 'get'
  | 'head'
  | 'delete'
  | 'list'
  | 'copy'
  | 'begin'
  | 'part'
  | 'finish'
  | 'abandon';

export function operationOf({ method, key, query, headers }: S3Request): S3Operation {
  if (method === 'GET') return key === '' ? 'list' : 'get';
  if (method === 'HEAD') return 'head';
  if (method === 'DELETE') return query.has('uploadId') ? 'abandon' : 'delete';
  if (method === 'POST') return query.has('uploads') ? 'begin' : 'finish';
  if (headers['x-amz-copy-source'] !== undefined) return 'copy';
  return query.has('uploadId') ? 'part' : 'put';
}

const tagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

interface Kept {
  bytes: Buffer;
  at: Date;
}

export const s3Error = (status: number, code: string): S3Reply => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>a message that holds a-secret</Message></Error>`,
  headers: { 'content-type': 'application/xml' },
});

const xml = (body: string): S3Reply => ({
  status: 200,
  body: `<?xml version="1.0"?>${body}`,
  headers: { 'content-type': 'application/xml' },
});

const escaped = (text: string): string => text.replaceAll(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function createS3Objects(bucketNames: readonly string[]) {
  const buckets = new Map(bucketNames.map((name) => [name, new Map<string, Kept>()]));
  const uploads = new Map<string, Map<number, Buffer>>();

  function answer(request: S3Request): S3Reply {
    const objects = buckets.get(request.bucket);
    if (objects === undefined) return s3Error(404, 'NoSuchBucket');
    const operation = operationOf(request);
    return (
      refusedCondition(operation, request, objects.get(request.key)) ?? HANDLERS[operation](request, objects)
    );
  }

  const put = (objects: Map<string, Kept>, key: string, bytes: Buffer): string => {
    objects.set(key, { bytes, at: new Date() });
    return tagOf(bytes);
  };

  type Handler = (request: S3Request, objects: Map<string, Kept>) => S3Reply;
  const withUpload =
    (work: (parts: Map<number, Buffer>, ...rest: Parameters<Handler>) => S3Reply): Handler =>
    (request, objects) => {
      const parts = uploads.get(request.query.get('uploadId') ?? '');
      return parts ? work(parts, request, objects) : s3Error(404, 'NoSuchUpload');
    };

  const HANDLERS: Record<S3Operation, Handler> = {
    put: ({ key, body }, objects) => ({ status: 200, headers: { etag: put(objects, key, body) } }),
    get: ({ key, headers }, objects) => {
      const kept = objects.get(key);
      return kept ? readReply(kept, headers.range) : s3Error(404, 'NoSuchKey');
    },
    head: ({ key }, objects) => {
      const kept = objects.get(key);
      return kept ? { status: 200, headers: headersOf(kept) } : { status: 404 };
    },
    delete: ({ key }, objects) => {
      objects.delete(key);
      return { status: 204 };
    },
    list: ({ query }, objects) => listReply(query, objects),
    copy: ({ key, headers }, objects) => {
      const [bucket = '', ...rest] = decodeURIComponent(String(headers['x-amz-copy-source'])).split('/');
      const kept = buckets.get(bucket)?.get(rest.join('/'));
      if (!kept) return s3Error(404, 'NoSuchKey');
      return xml(
        `<CopyObjectResult><ETag>${escaped(put(objects, key, kept.bytes))}</ETag></CopyObjectResult>`,
      );
    },
    begin: () => {
      const id = randomUUID();
      uploads.set(id, new Map());
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    },
    part: withUpload((parts, { query, body }) => {
      parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: tagOf(body) } };
    }),
    finish: withUpload((parts, { key, query, body }, objects) => {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) =>
        Number(n),
      );
      const bytes = named.map((number) => parts.get(number) ?? Buffer.alloc(0));
      uploads.delete(query.get('uploadId') ?? '');
      const tag = put(objects, key, Buffer.concat(bytes));
      return xml(
        `<CompleteMultipartUploadResult><ETag>${escaped(tag)}</ETag></CompleteMultipartUploadResult>`,
      );
    }),
    abandon: ({ query }) => {
      uploads.delete(query.get('uploadId') ?? '');
      return { status: 204 };
    },
  };

  return {
    answer,
    put: (bucket: string, key: string, bytes: Buffer): void => {
      put(buckets.get(bucket) ?? new Map(), key, bytes);
    },
    keys: (bucket: string): string[] => [...(buckets.get(bucket)?.keys() ?? [])].sort(),
    openUploads: () => uploads.size,
  };
}

/** RFC 9110, as far as S3 supports conditions. */
function refusedCondition(
  operation: S3Operation,
  { headers }: S3Request,
  kept: Kept | undefined,
): S3Reply | null {
  if (!['put', 'finish', 'get'].includes(operation)) return null;
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  const isRefused =
    (unwanted === '*' && kept !== undefined) ||
    (wanted !== undefined && kept && wanted !== tagOf(kept.bytes));
  if (wanted !== undefined && !kept) return s3Error(404, 'NoSuchKey');
  return isRefused ? s3Error(412, 'PreconditionFailed') : null;
}

const headersOf = ({ bytes, at }: Kept) => ({
  etag: tagOf(bytes),
  'content-length': String(bytes.length),
  'last-modified': at.toUTCString(),
  'accept-ranges': 'bytes',
});

function readReply(kept: Kept, range: string | string[] | undefined): S3Reply {
  const { bytes } = kept;
  if (range === undefined) return { status: 200, body: bytes, headers: headersOf(kept) };
  const [, start = '0', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(String(range)) ?? [];
  const [first, last] = [
    Number(start),
    Math.min(bytes.length - 1, end === '' ? bytes.length - 1 : Number(end)),
  ];
  if (first > last) return s3Error(416, 'InvalidRange');
  const part = bytes.subarray(first, last + 1);
  return {
    status: 206,
    body: part,
    headers: {
      ...headersOf(kept),
      'content-length': String(part.length),
      'content-range': `bytes ${first}-${last}/${bytes.length}`,
    },
  };
}

function listReply(query: URLSearchParams, objects: Map<string, Kept>): S3Reply {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const limit = Number(query.get('max-keys') ?? 1000);
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const page = found.slice(0, limit);
  const isCut = found.length > limit;
  const contents = page.map(
    ([key, { bytes, at }]) =>
      `<Contents><Key>${escaped(key)}</Key><Size>${bytes.length}</Size><ETag>${escaped(tagOf(bytes))}</ETag><LastModified>${at.toISOString()}</LastModified></Contents>`,
  );
  const next = isCut
    ? `<NextContinuationToken>${escaped(page.at(-1)?.[0] ?? '')}</NextContinuationToken>`
    : '';
  return xml(
    `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}
