import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, badRequest } from './api-error.ts';
import type { Fault } from './faults.ts';
import { type Schema, selectFields } from './fields.ts';

export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** False if the connection ended before all of it came. */
  isComplete: boolean;
  /** The fault of the answer's content. */
  fault: Fault;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Of the object, what the request or the default asks for. */
export function answerJson({ query }: ApiRequest, value: object, schema: Schema, fields: string): Answer {
  return jsonAnswer(200, selectFields(value, query.get('fields') || fields, schema));
}

const jsonAnswer = (status: number, value: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: Buffer.from(JSON.stringify(value, null, 1)),
});

export const emptyAnswer = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: Buffer.alloc(0),
});

export const errorAnswer = (error: unknown): Answer => {
  if (!(error instanceof ApiError)) throw error;
  const answer = jsonAnswer(error.status, error.body());
  return { ...answer, headers: { ...answer.headers, ...error.headers } };
};

export const flag = (query: URLSearchParams, name: string, otherwise = false): boolean =>
  query.has(name) ? query.get(name) === 'true' : otherwise;

export function jsonBody({ body }: Pick<ApiRequest, 'body'>): Record<string, unknown> {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {}
  throw new ApiError(400, { reason: 'parseError', message: 'Parse Error' });
}

export function numberOf(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const given = query.get(name);
  if (given === null) return otherwise;
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ApiError(400, {
      reason: 'invalidParameter',
      message: `Invalid value '${given}'. Values must be within the range: [1, ${most}]`,
      locationType: 'parameter',
      location: name,
    });
  return value;
}

export function textOf(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`Invalid value at '${name}'`);
  return value;
}
