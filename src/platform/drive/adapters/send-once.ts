import type { IncomingMessage } from 'node:http';
import { exchange } from '../../outgoing/exchange.ts';
import { DriveError } from '../drive.ts';
import { parsed, readText } from './answers.ts';
import { type ClientSettings, type DriveCall, type Tried, TryAgain } from './drive-call.ts';
import { type Failure, failureOf, lost, retryAfterOf } from './failures.ts';

/** The drive compresses only for clients whose name says `gzip` as well. */
const HEADERS = { 'accept-encoding': 'gzip', 'user-agent': 'canonry (gzip)' };

export async function sendOnce<Result>(
  settings: ClientSettings,
  call: DriveCall<Result>,
  { token, tries }: { token: string; tries: number },
): Promise<Tried<Result>> {
  const { apiBase, outgoing, answerMs } = settings;
  const { method, path, accepts = [], send, read } = call;
  const { headers, body } = send?.(tries) ?? {};
  try {
    const answer = await exchange(
      outgoing,
      `${apiBase}${path}`,
      {
        method,
        headers: { ...HEADERS, ...headers, authorization: `Bearer ${token}` },
        ...(body !== undefined && { body }),
      },
      { answerMs, silenceMs: answerMs },
    );
    const { statusCode: status = 0 } = answer;
    const isExpected = (status >= 200 && status < 300) || accepts.includes(status);
    if (isExpected) return { result: await read(answer, tries) };
    return { failure: withoutToken(await failureIn(answer, call, settings), token) };
  } catch (error) {
    if (error instanceof TryAgain) return { failure: error.failure };
    if (error instanceof DriveError) return { failure: { error, retry: 'never' } };
    return { failure: lost(error) };
  }
}

async function failureIn(
  answer: IncomingMessage,
  { isPage = false }: Pick<DriveCall<unknown>, 'isPage'>,
  { clock }: ClientSettings,
): Promise<Failure> {
  const body = parsed(await readText(answer));
  return failureOf({
    status: answer.statusCode ?? 0,
    body,
    retryAfter: retryAfterOf(answer, clock),
    isPage,
  });
}

function withoutToken(failure: Failure, token: string): Failure {
  failure.error.message = failure.error.message.replaceAll(token, '…');
  return failure;
}
