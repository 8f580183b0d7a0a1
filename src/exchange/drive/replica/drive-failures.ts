import { DriveError, type DriveErrorCode } from '../../../platform/drive/drive.ts';
import { ReplicaError, type ReplicaErrorCode } from '../../sync/index.ts';

const CODES: Readonly<Record<DriveErrorCode, ReplicaErrorCode>> = {
  revoked: 'signed_out',
  scope: 'forbidden',
  forbidden: 'forbidden',
  not_found: 'refused',
  exists: 'refused',
  invalid_token: 'not_understood',
  quota: 'refused',
  limited: 'busy',
  refused: 'refused',
  unavailable: 'unreachable',
};

const replicaError = (error: unknown): unknown => {
  if (!(error instanceof DriveError)) return error;
  const pause = error.retryAfter === null ? {} : { retryAfter: error.retryAfter };
  return new ReplicaError(CODES[error.code], error.message, { cause: error, ...pause });
};

export const withReplicaErrors = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw replicaError(error);
  });

export const isDriveError = (error: unknown, ...codes: readonly DriveErrorCode[]): error is DriveError =>
  error instanceof DriveError && codes.includes(error.code);
