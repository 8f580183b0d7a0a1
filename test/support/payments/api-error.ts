export interface ApiErrorBody {
  type?: string;
  code?: string;
  decline_code?: string;
  message: string;
  param?: string;
}

/** An answer of the form `{ error: … }`. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ApiErrorBody;

  constructor(status: number, body: ApiErrorBody) {
    super(body.message);
    this.status = status;
    this.body = { type: 'invalid_request_error', ...body };
  }
}

export const missing = (what: string, id: string, param = 'id', status = 404): ApiError =>
  new ApiError(status, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param });

export const cardDeclined = (): ApiError =>
  new ApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  });
