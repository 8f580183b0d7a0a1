import { createHash, createHmac } from 'node:crypto';

export interface SignedRequest {
  method: string;
  /** As sent. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

export interface S3Account {
  accessKey: string;
  secretKey: string;
  region: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** Checks AWS Signature Version 4; the name of the error, or null. */
export function signatureFault(request: SignedRequest, account: S3Account): string | null {
  const { searchParams } = new URL(request.url, 'http://host');
  return searchParams.has('X-Amz-Signature')
    ? faultInQuery(request, searchParams, account)
    : faultInHeader(request, account);
}

function faultInHeader(request: SignedRequest, account: S3Account): string | null {
  const header = textOf(request.headers.authorization);
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header);
  if (parts === null) return 'AccessDenied';
  const [, credential = '', signedHeaders = '', signature = ''] = parts;
  const payload = textOf(request.headers['x-amz-content-sha256']);
  if (payload !== UNSIGNED && payload !== sha256(request.body)) return 'XAmzContentSHA256Mismatch';
  const date = textOf(request.headers['x-amz-date']);
  return faultIn(request, { credential, signedHeaders, signature, payload, date }, account);
}

function faultInQuery(request: SignedRequest, query: URLSearchParams, account: S3Account): string | null {
  const value = (name: string) => query.get(name) ?? '';
  const date = value('X-Amz-Date');
  const time = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
  if (!(time + Number(value('X-Amz-Expires')) * 1000 > Date.now())) return 'AccessDenied';
  const [credential, signedHeaders] = [value('X-Amz-Credential'), value('X-Amz-SignedHeaders')];
  const signature = value('X-Amz-Signature');
  return faultIn(request, { credential, signedHeaders, signature, payload: UNSIGNED, date }, account);
}

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  payload: string;
  date: string;
}

function faultIn(request: SignedRequest, claim: Claim, account: S3Account): string | null {
  const [accessKey, day = '', region = '', service = ''] = claim.credential.split('/');
  if (accessKey !== account.accessKey) return 'InvalidAccessKeyId';
  if (region !== account.region) return 'AuthorizationHeaderMalformed';
  if (!claim.signedHeaders.split(';').includes('host')) return 'AccessDenied';
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, claim.date, scope, sha256(canonicalRequest(request, claim))].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce(
    hmac,
    `AWS4${account.secretKey}` as string | Buffer,
  );
  return hmac(key, text).toString('hex') === claim.signature ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest(request: SignedRequest, { signedHeaders, payload }: Claim): string {
  const [path = '', query = ''] = request.url.split('?');
  const pairs = [...new URLSearchParams(query)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${textOf(request.headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  return [request.method, path, pairs.join('&'), headers.join(''), signedHeaders, payload].join('\n');
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '');

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
