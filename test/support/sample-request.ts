import type { FastifyInstance, InjectOptions } from 'fastify';
import { urlOf } from '../../src/client/request.ts';
import { type Contract, hasBody, paramNames, takesFiles } from '../../src/kit/contract.ts';

export interface SampleOptions {
  token?: string;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Sent as it is; by default the contract's example as JSON. */
  payload?: string;
}

/** The contract's example, with the test's changes. */
export function sampleRequest(contract: Contract, options: SampleOptions = {}): InjectOptions {
  const { token, headers, payload } = options;
  const unnamed = Object.fromEntries(paramNames(contract.path).map((name) => [name, 'x']));
  const url = urlOf(contract, '', {
    params: { ...unnamed, ...contract.example.params, ...options.params },
    query: { ...contract.example.query, ...options.query },
  });
  const form = takesFiles(contract);
  const sample = form
    ? formText(contract)
    : hasBody(contract)
      ? JSON.stringify(contract.example.body ?? {})
      : undefined;
  const body = payload ?? sample;
  return {
    method: contract.method,
    url,
    headers: {
      ...(body !== undefined && { 'content-type': form ? FORM_TYPE : 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
  };
}

const BOUNDARY = 'sample-boundary';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Every file of the contract, with meaningless bytes. */
function formText(contract: Contract): string {
  const parts = Object.keys(contract.files).map(
    (name) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="sample"\r\n\r\nsample\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** A fresh user without a role of their own. */
export async function viewerToken(app: FastifyInstance): Promise<string> {
  const account = { email: 'shared-routes-viewer@example.org', password: 'a long enough password' };
  const registered = await app.inject({ method: 'POST', url: '/api/auth/register', payload: account });
  if (registered.statusCode >= 300) throw new Error(`the viewer cannot register: ${registered.body}`);
  const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: account });
  const { access_token } = login.json<{ access_token?: string }>();
  if (access_token === undefined) throw new Error(`the viewer cannot log in: ${login.body}`);
  return access_token;
}
