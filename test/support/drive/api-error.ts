export interface ErrorItem {
  domain: string;
  reason: string;
  message: string;
  location?: string;
  locationType?: string;
}

/** An answer of the form `{ error: { code, message, errors } }`. */
export class ApiError extends Error {
  readonly status: number;
  readonly item: ErrorItem;
  /** More of the body, as newer errors have it. */
  readonly extra: object;
  headers: Record<string, string> = {};

  constructor(status: number, item: Omit<ErrorItem, 'domain'> & { domain?: string }, extra: object = {}) {
    super(item.message);
    this.status = status;
    this.item = { domain: 'global', ...item };
    this.extra = extra;
  }

  body(): object {
    return { error: { code: this.status, message: this.message, errors: [this.item], ...this.extra } };
  }
}

const parameter = (location: string) => ({ locationType: 'parameter', location });

export const notFound = (fileId: string): ApiError =>
  new ApiError(404, {
    reason: 'notFound',
    message: `File not found: ${fileId}.`,
    ...parameter('fileId'),
  });

export const invalid = (location: string, message = 'Invalid Value'): ApiError =>
  new ApiError(400, { reason: 'invalid', message, ...parameter(location) });

export const invalidParameter = (location: string, message: string): ApiError =>
  new ApiError(400, { reason: 'invalidParameter', message, ...parameter(location) });

export const badRequest = (message = 'Bad Request'): ApiError =>
  new ApiError(400, { reason: 'badRequest', message });

export const forbidden = (reason: string, message: string, location?: string): ApiError =>
  new ApiError(403, { reason, message, ...(location !== undefined && parameter(location)) });

export const unauthorized = (): ApiError => {
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';
  const error = new ApiError(
    401,
    {
      reason: 'authError',
      message: 'Invalid Credentials',
      locationType: 'header',
      location: 'Authorization',
    },
    { message, status: 'UNAUTHENTICATED' },
  );
  error.headers = {
    'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
  };
  return error;
};

export const scopeMissing = (): ApiError =>
  new ApiError(
    403,
    { reason: 'insufficientPermissions', message: 'Insufficient Permission' },
    {
      message: 'Request had insufficient authentication scopes.',
      status: 'PERMISSION_DENIED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          domain: 'googleapis.com',
          metadata: { service: 'drive.googleapis.com' },
        },
      ],
    },
  );

export const storageFull = (): ApiError =>
  forbidden('storageQuotaExceeded', "The user's Drive storage quota has been exceeded.");
