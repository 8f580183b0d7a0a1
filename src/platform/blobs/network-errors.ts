import { ADDRESS_REFUSED } from '../outgoing/outgoing.ts';
import { BlobsError } from './blobs.ts';

const EXPLAINED: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens at the address of the storage',
  ECONNRESET: 'The storage broke off the connection',
  EAI_AGAIN: "The name of the storage's host cannot be looked up",
  EHOSTUNREACH: 'The address of the storage cannot be reached',
  ENETUNREACH: 'The address of the storage cannot be reached',
  ENOTFOUND: "The name of the storage's host leads nowhere",
  EPIPE: 'The storage broke off the connection',
  ETIMEDOUT: 'The storage does not answer in time',
  EPROTO: 'The storage does not speak HTTPS at this address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The storage does not speak HTTPS at this address',
  HPE_INVALID_CONSTANT: 'What answers at the address of the storage does not speak HTTP',
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** Null for errors that the provider itself returned. */
export function networkError(error: unknown): BlobsError | null {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  const cause = { cause: error };
  if (code === ADDRESS_REFUSED) return new BlobsError('refused_address', String(message), cause);
  if (typeof code === 'string' && Object.hasOwn(EXPLAINED, code))
    return new BlobsError('unavailable', `${EXPLAINED[code]} (${code})`, cause);
  if (typeof code === 'string' && CERTIFICATE.test(code))
    return new BlobsError('unavailable', `The certificate of the storage is not trusted (${code})`, cause);
  if (name === 'TimeoutError' || name === 'AbortError')
    return new BlobsError('unavailable', 'The storage does not answer in time', cause);
  return null;
}
