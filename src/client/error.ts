interface ClientFieldError {
  field: string;
  message: string;
  line?: number;
}

interface ClientConflict {
  conflicting_fields: readonly string[];
}

interface ClientErrorDetails {
  code?: string;
  errors?: readonly ClientFieldError[];
  conflict?: ClientConflict;
  retryAfter?: number;
}

/** The service refused a call or failed; the fields repeat its reply (spec 1 §7). */
export class ClientError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly code: string | undefined;
  readonly errors: readonly ClientFieldError[];
  /** Of a merge that was refused: what both sides changed, and the three states. */
  readonly conflict: ClientConflict | undefined;
  /** After how many seconds to try again, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: string, more: ClientErrorDetails = {}) {
    super(detail);
    this.name = 'ClientError';
    this.status = status;
    this.detail = detail;
    this.code = more.code;
    this.errors = more.errors ?? [];
    this.conflict = more.conflict;
    this.retryAfter = more.retryAfter;
  }
}

/** Reads a refusal. A proxy in between may not reply with `{detail}`: the error then carries only the status. */
export async function errorFrom(response: Response): Promise<ClientError> {
  const body: unknown = await response.json().catch(() => null);
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const pause = Number.isNaN(seconds) ? {} : { retryAfter: seconds };
  if (isErrorBody(body)) return new ClientError(response.status, body.detail, { ...body, ...pause });
  const detail = `The service answered ${response.status} ${response.statusText}`.trimEnd();
  return new ClientError(response.status, detail, pause);
}

interface ErrorBody extends ClientErrorDetails {
  detail: string;
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
