import { createExplain, type Explanation } from '../provider-errors.ts';

const ELSEWHERE: Explanation = ['refused', 'The bucket is reached at another endpoint or in another region'];

const CHANGED: Explanation = ['changed', 'The object was changed meanwhile'];

/** Explanations by S3's name of the error, in the words of its documentation. */
const NAMED: Record<string, Explanation> = {
  AccessDenied: ['denied', 'The access key may not do this in the bucket'],
  AllAccessDisabled: ['denied', 'Access to the bucket is switched off'],
  AccountProblem: ['denied', 'There is a problem with the account that owns the bucket'],
  AuthorizationHeaderMalformed: ['refused', 'The region does not fit the bucket'],
  ConditionalRequestConflict: CHANGED,
  EntityTooLarge: ['too_large', 'The object is too large for the bucket'],
  ExpiredToken: ['bad_credentials', 'The access key has run out'],
  InvalidAccessKeyId: ['bad_credentials', 'The access key is not known'],
  InvalidBucketName: ['no_bucket', 'The name of the bucket is not valid'],
  InvalidToken: ['bad_credentials', 'The access key is not valid'],
  NoSuchBucket: ['no_bucket', 'The bucket does not exist'],
  NoSuchKey: ['not_found', 'There is no such object'],
  NotFound: ['not_found', 'There is no such object'],
  NotImplemented: ['unsupported', 'The storage cannot do this'],
  PermanentRedirect: ELSEWHERE,
  PreconditionFailed: CHANGED,
  QuotaExceeded: ['no_space', 'The quota of the bucket is used up'],
  RequestTimeTooSkewed: ['refused', 'The clocks of this machine and of the storage differ too much'],
  SignatureDoesNotMatch: ['bad_credentials', 'The secret key does not fit the access key'],
  SlowDown: ['unavailable', 'The storage asks for fewer requests'],
  TemporaryRedirect: ELSEWHERE,
};

const BY_STATUS: Record<number, Explanation> = {
  301: ELSEWHERE,
  307: ELSEWHERE,
  401: ['bad_credentials', 'The access key is not accepted'],
  403: ['denied', 'The access key may not do this in the bucket'],
  404: ['not_found', 'There is no such object'],
  412: CHANGED,
  429: ['unavailable', 'The storage asks for fewer requests'],
  501: ['unsupported', 'The storage cannot do this'],
  507: ['no_space', 'The storage is full'],
};

export const s3Error = createExplain({
  named: NAMED,
  byStatus: BY_STATUS,
  answerOf(error) {
    const { name, $metadata } = error as { name?: unknown; $metadata?: { httpStatusCode?: number } };
    return { word: name, status: $metadata?.httpStatusCode };
  },
});
