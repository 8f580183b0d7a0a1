import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { badRequest } from './api-error.ts';
import { headersOf, type Part, partsOf } from './multipart.ts';
import type { Answer, ApiRequest } from './requests.ts';

const MOST = 100;

/** The answers to the requests in one, each as it would be alone. */
export function answerBatch(request: ApiRequest, answerTo: (inner: ApiRequest) => Answer): Answer {
  const parts = partsOf(request.body, request.headers['content-type']);
  if (parts.length > MOST)
    throw badRequest(`The batch request contains too many calls (${parts.length}); the limit is ${MOST}.`);
  const boundary = `batch_${randomBytes(16).toString('base64url')}`;
  const answers = parts.flatMap((part) => {
    const id = part.headers['content-id'];
    const head = [
      `--${boundary}`,
      'Content-Type: application/http',
      ...(id === undefined
        ? []
        : [`Content-ID: ${id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`}`]),
    ];
    return [
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
      httpOf(answerTo(innerOf(request, part))),
      Buffer.from('\r\n'),
    ];
  });
  return {
    status: 200,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: Buffer.concat([...answers, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function innerOf(outer: ApiRequest, { body }: Part): ApiRequest {
  const end = body.indexOf('\r\n\r\n');
  const [line = '', ...lines] = (end < 0 ? body : body.subarray(0, end)).toString().split('\r\n');
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/1\.[01])?$/.exec(line.trim()) ?? [];
  if (method === undefined || target === undefined) throw badRequest('Malformed request in a batch.');
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  if (pathname.startsWith('/upload/') || searchParams.get('alt') === 'media')
    throw badRequest('Uploads and downloads cannot be in a batch.');
  const { authorization } = outer.headers;
  return {
    ...outer,
    method,
    path: pathname,
    query: searchParams,
    headers: { ...(authorization !== undefined && { authorization }), ...headersOf(lines.join('\r\n')) },
    body: end < 0 ? Buffer.alloc(0) : body.subarray(end + 4),
    fault: {},
  };
}

function httpOf({ status, headers, body }: Answer): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...headers, 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
