/** `line` is 1-based and present if the fault is in a file. */
export interface FieldError {
  field: string;
  message: string;
  line?: number;
}

export interface ErrorExtras {
  code?: string;
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
  /** Besides `detail`. */
  body?: Readonly<Record<string, unknown>>;
}

/** Its status and `detail` are the reply (spec 1 §7). */
export class HttpError extends Error {
  readonly status: number;
  readonly extras: ErrorExtras;

  constructor(status: number, detail: string, extras: ErrorExtras = {}) {
    super(detail);
    this.name = 'HttpError';
    this.status = status;
    this.extras = extras;
  }
}

const withStatus = (status: number) => (detail: string, extras?: ErrorExtras) =>
  new HttpError(status, detail, extras);

export const badRequest = withStatus(400);
export const unauthorized = (detail: string, extras: ErrorExtras = {}) =>
  new HttpError(401, detail, { ...extras, headers: { 'www-authenticate': 'Bearer', ...extras.headers } });
export const limitReached = withStatus(402);
export const forbidden = withStatus(403);
export const notFound = withStatus(404);
export const conflict = withStatus(409);
export const stale = withStatus(412);
export const tooLarge = withStatus(413);
export const invalid = withStatus(422);
export const invalidField = (field: string, message: string) =>
  invalid(`${field} ${message}`, { code: `invalid_${field}`, errors: [{ field, message }] });
/** Of a service that this one asks. */
export const badGateway = withStatus(502);
export const unavailable = (detail: string, retryAfterSeconds = 5) =>
  new HttpError(503, detail, { headers: { 'retry-after': String(retryAfterSeconds) } });

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
