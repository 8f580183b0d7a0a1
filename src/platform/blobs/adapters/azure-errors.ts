import { createExplain, type Explanation } from '../provider-errors.ts';

const CHANGED: Explanation = ['changed', 'The object was changed meanwhile'];

/** Explanations by Azure's name of the error, in the words of its documentation. */
const NAMED: Record<string, Explanation> = {
  AccountIsDisabled: ['denied', 'The storage account is disabled'],
  AuthenticationFailed: ['bad_credentials', 'The credentials are not accepted'],
  AuthorizationFailure: ['denied', 'The credentials may not do this in the container'],
  AuthorizationPermissionMismatch: ['denied', 'The credentials may not do this in the container'],
  AuthorizationProtocolMismatch: ['denied', 'The credentials ask for another protocol'],
  AuthorizationServiceMismatch: ['denied', 'The credentials are for another service'],
  AuthorizationSourceIPMismatch: ['denied', 'The credentials are for other addresses'],
  BlobAlreadyExists: CHANGED,
  BlobNotFound: ['not_found', 'There is no such object'],
  CannotVerifyCopySource: ['not_found', 'There is no such object'],
  ConditionNotMet: CHANGED,
  ContainerBeingDeleted: ['no_bucket', 'The container is being deleted'],
  ContainerNotFound: ['no_bucket', 'The container does not exist'],
  InsufficientAccountPermissions: ['denied', 'The credentials may not do this in the container'],
  InvalidAuthenticationInfo: ['bad_credentials', 'The credentials are not valid'],
  InvalidResourceName: ['no_bucket', 'The name of the container is not valid'],
  NoAuthenticationInformation: ['bad_credentials', 'The credentials are not accepted'],
  RequestBodyTooLarge: ['too_large', 'The object is too large for the container'],
  ServerBusy: ['unavailable', 'The storage asks for fewer requests'],
};

const BY_STATUS: Record<number, Explanation> = {
  401: ['bad_credentials', 'The credentials are not accepted'],
  403: ['denied', 'The credentials may not do this in the container'],
  404: ['not_found', 'There is no such object'],
  412: CHANGED,
  429: ['unavailable', 'The storage asks for fewer requests'],
};

export const azureError = createExplain({
  named: NAMED,
  byStatus: BY_STATUS,
  answerOf(error) {
    const { statusCode, code } = error as { statusCode?: number; code?: unknown };
    return { word: code, status: statusCode };
  },
});
