import { checksumOf } from '../../../src/kit/crypto.ts';
import type { Disk } from './disk.ts';

interface SentEntity {
  path?: string;
  base_checksum?: string;
}

/** Makes pushes claim the cloud's current state as their base, so that it is taken for the ancestor. */
export const wrongAncestor =
  (cloud: Disk) =>
  (path: string, body: Buffer): Buffer => {
    if (!path.endsWith('/sync/push')) return body;
    const push = JSON.parse(body.toString()) as { entities: SentEntity[] };
    for (const entity of push.entities) {
      const text = entity.path === undefined ? undefined : cloud.read(entity.path);
      if (text !== undefined) entity.base_checksum = checksumOf(Buffer.from(text, 'latin1'));
    }
    return Buffer.from(JSON.stringify(push));
  };
