import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import {
  conflictProperties,
  exampleConflict,
  resolveConflict,
} from '../../world/conflicts/conflicts.contract.ts';
import { Entity, exampleEntity } from '../../world/entities/entities.contract.ts';

export const resolveDesktopConflict = contract('POST /api/desktop/sync/conflicts/{conflict_id}/resolve', {
  name: 'resolveDesktopConflict',
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  feature: 'cloud_sync',
  project: true,
  tag: 'Sync',
  summary: 'Resolve a conflict from an install',
  description:
    '`local` takes the install’s side of a pushed conflict, `cloud` (or `remote`) keeps the cloud’s.',
  params: resolveConflict.params,
  body: resolveConflict.body,
  bodyLimit: resolveConflict.bodyLimit,
  reply: Type.Object({ ...conflictProperties, entity: Entity }),
  errors: resolveConflict.errors,
  example: {
    params: { conflict_id: exampleConflict.conflict_id },
    body: { resolution: 'local' },
    reply: {
      ...exampleConflict,
      pushed: true,
      status: 'resolved',
      resolution: 'local',
      resolved_at: '2026-03-02T11:00:00.000Z',
      entity: exampleEntity,
    },
  },
});
