import { type Static, Type } from 'typebox';
import { Count, NullableText, named, Text } from '../../kit/schemas.ts';

const SyncError = Type.Object({
  code: Text,
  message: Text,
  at: Text,
  retry_after: Type.Optional(
    Type.Number({ minimum: 0, description: 'Seconds, if the other side asked for a pause' }),
  ),
});
export type SyncError = Static<typeof SyncError>;

const HeldDeletions = Type.Object({
  where: Type.Enum(['here', 'in_the_cloud']),
  deletions: Count,
  of: Count,
  examples: Type.Array(Text),
});
export type HeldDeletions = Static<typeof HeldDeletions>;

const HeldSample = Type.Object({ entities: Type.Record(Text, Count), files: Count });
export type HeldSample = Static<typeof HeldSample>;

const Changed = Type.Object({
  entities_created: Count,
  entities_updated: Count,
  entities_deleted: Count,
  files: Count,
});
export type Changed = Static<typeof Changed>;

export const SyncResult = named('CloudSyncResult', {
  started_at: Text,
  finished_at: Text,
  requests: Type.Integer({ minimum: 0, description: 'Requests to the cloud' }),
  pushed: Count,
  pulled: Count,
  deleted_here: Count,
  deleted_in_cloud: Count,
  merged: Type.Integer({ minimum: 0, description: 'Own changes that the cloud joined with others’' }),
  conflicts: Type.Integer({
    minimum: 0,
    description: 'Own changes that overlap with others’: the cloud’s text is here, the own one is a revision',
  }),
  kept_copies: Type.Array(Text, {
    description: 'Files in which own bytes are kept beside those of the cloud',
  }),
  left: Type.Array(Type.Object({ key: Text, reason: Text }), {
    description: 'What could not be taken over and stays as it is, with the reason',
  }),
  held: Type.Union([HeldDeletions, Type.Null()], {
    description: 'Deletions that are too many at once; `force` goes on',
  }),
  held_sample: Type.Union([HeldSample, Type.Null()], {
    description:
      'What of the sample world stays here, by type, until it is edited: nothing of it goes to a cloud unasked; `force` sends it',
  }),
  error: Type.Union([SyncError, Type.Null()]),
  changed: Type.Optional({
    ...Changed,
    description: 'What changed on either side, each entity and each other file once',
  }),
});
export type SyncResult = Static<typeof SyncResult>;

export const SyncStatus = Type.Object({
  state: Type.Enum(['unlinked', 'stopped', 'waiting', 'syncing']),
  cloud_url: NullableText,
  periodic: Type.Boolean({ description: 'Whether rounds come by themselves' }),
  started_at: NullableText,
  phase: Type.Union([Type.Enum(['pulling', 'pushing', 'writing']), Type.Null()]),
  pending: Type.Object({ to_push: Count, to_write: Count, conflicts: Count }),
  last: Type.Union([SyncResult, Type.Null()]),
  last_synced_at: NullableText,
  next_at: NullableText,
});
export type SyncStatus = Static<typeof SyncStatus>;
