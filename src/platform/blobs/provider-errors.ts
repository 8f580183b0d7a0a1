import { BlobsError, type BlobsErrorCode } from './blobs.ts';
import { networkError } from './network-errors.ts';
import { outOfRange } from './ranges.ts';

export type Explanation = readonly [BlobsErrorCode, string];

export interface ProviderWords {
  /** By the provider's name of the error. */
  named: Readonly<Record<string, Explanation>>;
  byStatus: Readonly<Record<number, Explanation>>;
  /** Where the thrown error has them. */
  answerOf(error: unknown): { word: unknown; status: number | undefined };
}

/** Passes on only plain names of the provider's text. */
export const createExplain =
  ({ named, byStatus, answerOf }: ProviderWords) =>
  (error: unknown): BlobsError => {
    if (error instanceof BlobsError) return error;
    const known = networkError(error);
    if (known) return known;
    const { word, status } = answerOf(error);
    const name = isPlain(word) ? word : '';
    if (name === 'InvalidRange' || status === 416) return outOfRange({ cause: error });
    const [code, message] = named[name] ?? byStatus[status ?? 0] ?? unnamed(status);
    const said = [name, status ?? ''].filter((each) => each !== '').join(', ');
    return new BlobsError(code, said === '' ? message : `${message} (${said})`, { cause: error });
  };

function unnamed(status: number | undefined): Explanation {
  if (status === undefined) return ['unavailable', 'The storage cannot be asked'];
  if (status >= 500) return ['unavailable', 'The storage has a fault'];
  if (status < 300)
    return ['refused', 'What answers at the address of the storage does not speak its protocol'];
  return ['refused', 'The storage refused the request'];
}

/** Names of the SDK's own errors say nothing about the storage. */
const isPlain = (word: unknown): word is string =>
  typeof word === 'string' &&
  /^[A-Z][a-z]+[A-Za-z]{2,60}$/.test(word) &&
  !/Error$|Exception$|^Unknown$/.test(word);
