import { callOf } from '../client/call.ts';
import { requestOf, urlOf } from '../client/request.ts';
import type { Contract } from '../kit/contract.ts';
import { HttpError, messageOf, unavailable } from '../kit/errors.ts';
import { readBounded } from '../kit/http/bounded-body.ts';
import { readRawBody } from '../kit/http/raw-bodies.ts';
import { Reply, type Route, type RouteRequest } from '../kit/route.ts';
import { callerHeader, twinOf } from '../kit/service-twin.ts';

/** Longer than the other surface waits for a provider, with its retries. */
const ANSWER_MS = 40_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Request headers whose meaning the other surface knows; all others end here. */
const PASSED_ON = ['accept', 'idempotency-key', 'billing-signature', 'accept-language'];
const PASSED_BACK = [
  'content-security-policy',
  'referrer-policy',
  'location',
  'content-disposition',
  'retry-after',
  'cache-control',
  'idempotency-replayed',
];

export interface Service {
  url: string;
  serviceToken: string;
}

/** Serves contracts by asking another surface for their twins. 503 while it does not answer; a change may then have happened. */
export const forwardedRoutes = (contracts: readonly Contract[], service: Service): Route[] =>
  contracts.map((contract) => ({
    contract,
    handle: (request) => forward(contract, request, service),
  }));

async function forward(contract: Contract, request: RouteRequest, { url, serviceToken }: Service) {
  const twin = callOf(twinOf(contract));
  const parts = {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: request.body,
    headers: { ...callerHeader(request), ...passedOn(request) },
  };
  const raw = request.stream && (await readRawBody(contract, request.stream));
  const asked = requestOf(twin, parts, serviceToken);
  const response = await fetch(urlOf(twin, url, parts), {
    ...asked,
    ...(raw && {
      body: raw,
      headers: { ...asked.headers, 'content-type': contract.stream?.mediaType ?? '' },
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(notAnswered);
  const body = await readBounded(response.body, MOST_BYTES).catch(notAnswered);
  return replyOf(response, body ?? Buffer.alloc(0));
}

function notAnswered(error: unknown): never {
  throw unavailable(`The accounts service does not answer (${messageOf(error)})`);
}

function passedOn({ headers }: RouteRequest): Record<string, string> {
  const found = PASSED_ON.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

function replyOf(response: Response, body: Buffer): Reply {
  const { status, headers } = response;
  if (status >= 400) throw refusalOf(status, headers, body);
  const type = headers.get('content-type') ?? '';
  const isJson = type.startsWith('application/json');
  const back = PASSED_BACK.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return new Reply(isJson && body.length > 0 ? jsonIn(body) : body, {
    status,
    headers: { ...Object.fromEntries(back), ...(!isJson && type !== '' && { 'content-type': type }) },
  });
}

/** Whatever stands between the surfaces may answer in its place, such as with a page. */
function jsonIn(body: Buffer) {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw unavailable('The accounts service does not answer (something else answered in its place)');
  }
}

/** The other surface's refusal as this one's. What it says of the service token is no answer to the caller. */
function refusalOf(status: number, headers: Headers, body: Buffer): HttpError {
  if (status === 401 || (status >= 500 && status !== 503))
    return unavailable('The accounts service refuses to answer: see its log');
  const { detail, code, errors, ...rest } = jsonIn(body);
  const retryAfter = headers.get('retry-after');
  return new HttpError(status, detail, {
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors }),
    body: rest,
    ...(retryAfter !== null && { headers: { 'retry-after': retryAfter } }),
  });
}
