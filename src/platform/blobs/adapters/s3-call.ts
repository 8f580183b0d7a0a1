import type { S3Client } from '@aws-sdk/client-s3';
import { withDeadline } from '../bounded.ts';
import { s3Error } from './s3-errors.ts';

/** Errors become `BlobsError`. `sends` is the number of bytes in the request's body. */
export type S3Call = <Result>(
  request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<Result>,
  sends?: number,
) => Promise<Result>;

export const createS3Call =
  (client: S3Client, answerMs: number): S3Call =>
  async (request, sends) => {
    try {
      return await withDeadline(answerMs, (abortSignal) => request(client, { abortSignal }), sends);
    } catch (error) {
      throw s3Error(error);
    }
  };
