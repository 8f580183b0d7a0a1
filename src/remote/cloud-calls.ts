import { ClientError } from '../client/error.ts';
import { CloudError } from '../exchange/cloud/index.ts';
import type { ReplicaErrorCode } from '../exchange/sync/index.ts';
import type { Contract } from '../kit/contract.ts';
import { messageOf } from '../kit/errors.ts';
import { BodyTooLarge } from '../kit/http/bounded-body.ts';
import { createChecker } from '../kit/http/validation.ts';

const CODES: Readonly<Record<number, ReplicaErrorCode>> = {
  401: 'signed_out',
  402: 'payment_required',
  403: 'forbidden',
};

const unexpectedReply = () =>
  new CloudError(
    'not_understood',
    'The cloud sent an answer that is not understood: is one of the two out of date?',
  );

/** Wraps a call so that its reply is checked against the contract. */
export function checkedCall<Arguments extends unknown[], Reply>(
  contract: Contract,
  call: (...given: Arguments) => Promise<Reply>,
): (...given: Arguments) => Promise<Reply> {
  const check = createChecker(contract.reply);
  return (...given) =>
    withCloudErrors(async () => {
      const reply = await call(...given);
      if (check(reply)) throw unexpectedReply();
      return reply;
    });
}

/** Turns every failure into a `CloudError`. */
export async function withCloudErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw cloudError(error);
  }
}

function cloudError(error: unknown): Error {
  if (error instanceof CloudError) return error;
  if (error instanceof ClientError) {
    const code = CODES[error.status] ?? (error.status >= 500 ? 'failed' : 'refused');
    const reason = error.code === undefined ? {} : { reason: error.code };
    return new CloudError(code, error.detail, { cause: error, ...reason });
  }
  if (error instanceof BodyTooLarge)
    return new CloudError('not_understood', `The cloud's answer cannot be taken: ${error.message}`);
  if (error instanceof SyntaxError) return unexpectedReply();
  return new CloudError('unreachable', `The cloud does not answer (${messageOf(error)})`, { cause: error });
}
