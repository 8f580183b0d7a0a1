interface ClientFieldError {
  field: string;
  message: string;
  line?: number;
}

/** The service refused a call or failed; the fields repeat its reply (spec 1 §7). */
export class ClientError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly code: string | undefined;
  readonly errors: readonly ClientFieldError[];

  constructor(
    status: number,
    detail: string,
    more: { code?: string; errors?: readonly ClientFieldError[] } = {},
  ) {
    super(detail);
    this.name = 'ClientError';
    this.status = status;
    this.detail = detail;
    this.code = more.code;
    this.errors = more.errors ?? [];
  }
}

/** Reads a refusal. A proxy in between may not reply with `{detail}`: the error then carries only the status. */
export async function errorFrom(response: Response): Promise<ClientError> {
  const body: unknown = await response.json().catch(() => null);
  if (isErrorBody(body)) return new ClientError(response.status, body.detail, body);
  return new ClientError(
    response.status,
    `The service answered ${response.status} ${response.statusText}`.trimEnd(),
  );
}

interface ErrorBody {
  detail: string;
  code?: string;
  errors?: readonly ClientFieldError[];
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
