import { BlobsError, type PutOptions } from '../blobs.ts';
import { conditionsOf } from '../tags.ts';

/** Without the condition if the service does not support it. */
export type Conditionally = <Result>(
  only: PutOptions['only'],
  send: (conditions: { IfNoneMatch?: string; IfMatch?: string }) => Promise<Result>,
) => Promise<Result>;

/**
 * Some compatible services support no conditions, or only one of the two: a condition that a service has refused as
 * unknown is not sent to it again.
 */
export function createConditionally(isKnown: boolean): Conditionally {
  const known = { ifAbsent: isKnown, ifEtag: isKnown };

  return async (only, send) => {
    if (only === undefined) return send({});
    const kind = 'ifAbsent' in only ? 'ifAbsent' : 'ifEtag';
    if (!known[kind]) return send({});
    const { ifNoneMatch, ifMatch } = conditionsOf(only);
    try {
      return await send({
        ...(ifNoneMatch !== undefined && { IfNoneMatch: ifNoneMatch }),
        ...(ifMatch !== undefined && { IfMatch: ifMatch }),
      });
    } catch (error) {
      if (!(error instanceof BlobsError && error.code === 'unsupported')) throw error;
      known[kind] = false;
      return send({});
    }
  };
}
