import type { CustomFetch } from 'openid-client';
import { BodyTooLarge, readBounded } from '../../../kit/http/bounded-body.ts';
import { OAuthError } from '../oauth.ts';

const MOST_BYTES = 1024 * 1024;
const TOO_MANY_REQUESTS = 429;

/** Rejects with `OAuthError` if the provider is down. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit).catch((error: unknown) => {
    throw new OAuthError('unavailable', 'The provider does not answer', { cause: error });
  });
  if (response.status >= 500 || response.status === TOO_MANY_REQUESTS) {
    await response.body?.cancel();
    throw new OAuthError('unavailable', `The provider answered with status ${response.status}`);
  }
  const { status, headers } = response;
  return new Response(await boundedBody(response), { status, headers });
};

async function boundedBody({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await readBounded(body, MOST_BYTES);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new OAuthError('refused', "The provider's answer is too large");
    throw new OAuthError('unavailable', 'The provider broke off its answer', { cause: error });
  }
}

/** Errors become `OAuthError`, without secrets in the message. */
export async function withOAuthErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw (
      knownIn(error) ?? new OAuthError('refused', "The provider's answer was not accepted", { cause: error })
    );
  }
}

/** Finds our own error inside those that the library wraps around it. */
function knownIn(error: unknown): OAuthError | null {
  let inner: unknown = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof OAuthError) return inner;
    inner = inner.cause;
  }
  return null;
}
