import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, badRequest, notFound } from './api-error.ts';
import type { Channels } from './channels.ts';
import type { Fault } from './faults.ts';
import { type Schema, selectFields } from './fields.ts';
import type { StoredFile } from './objects.ts';
import type { Store } from './store.ts';
import type { UploadSession } from './uploads.ts';

/** What the acts of the API work on. */
export interface Api {
  store: Store;
  channels: Channels;
  /** Resumable uploads by their ids. */
  uploads: Map<string, UploadSession>;
  /** Results of queries that are listed in pages, by their tokens. */
  pages: Map<string, { ids: string[]; from: number; query: string }>;
  /** Added to the index of a change for its token; grows when all tokens are lost. */
  tokenBase: number;
  expiredTokenStatus: 400 | 410;
  allowHttpAddresses: boolean;
  scopes: Set<string>;
  url(): string;
}

export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** False if the connection ended before all of it came. */
  isComplete: boolean;
  /** What goes wrong with the answer's content. */
  fault: Fault;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export type Act = (api: Api, request: ApiRequest, ids: string[]) => Answer;

/** Of the object, what the request or the default asks for. */
export function answerJson({ query }: ApiRequest, value: object, schema: Schema, fields: string): Answer {
  return jsonAnswer(200, selectFields(value, query.get('fields') || fields, schema));
}

export const jsonAnswer = (status: number, value: object): Answer => ({
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

const ALL_FILES = ['https://www.googleapis.com/auth/drive', 'https://www.googleapis.com/auth/drive.readonly'];

export const canSee = (api: Api, file: StoredFile): boolean =>
  file.isVisible || ALL_FILES.some((scope) => api.scopes.has(scope));

/** Throws 404 for a file that the app cannot see, too. */
export function fileOf(api: Api, { query }: Pick<ApiRequest, 'query'>, id: string): StoredFile {
  const file = api.store.files.get(id === 'root' ? api.store.rootId : id);
  if (!file || !canSee(api, file)) throw notFound(id);
  if (file.driveId !== null && !flag(query, 'supportsAllDrives')) throw notFound(id);
  return file;
}

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
