import { type Clock, isoTime } from '../../kit/clock.ts';
import { eachAtOnce } from '../../kit/each-at-once.ts';
import { type ConflictRecords, contentOfText } from '../../world/conflict-records/index.ts';
import type { TemplateRegistry } from '../../world/definitions/index.ts';
import type { EntityRow, Project } from '../../world/records/index.ts';
import type { Cursors } from './cursors.ts';
import { type Pushed, seqAfterOwnWork } from './own-work.ts';
import type { PushedEntity, PushReply } from './push.contract.ts';
import type { PushEntity, Pusher, PushOutcome } from './push-entity.ts';
import type { FilePusher, PushFiles } from './push-files.ts';
import { createPushGuard } from './push-guard.ts';
import type { PushMany } from './push-many.ts';
import type { PushMoves } from './push-moves.ts';
import { refusalOf } from './refusal.ts';

export interface PushRequest extends Pushed {
  force?: boolean | undefined;
}

export interface PushOptions {
  pushEntity: PushEntity;
  pushMany: PushMany;
  pushMoves: PushMoves;
  pushFiles: PushFiles;
  conflicts: ConflictRecords;
  templates: TemplateRegistry;
  cursors: Cursors;
  clock: Clock;
}

/** Entities written concurrently; their writes share commits. */
const AT_ONCE = 16;

const keyOf = ({ entity_type, entity_id }: PushedEntity): string => `${entity_type}/${entity_id}`;

/** Accepts an installation's changes, each entity independently of the others. */
export function createPush(options: PushOptions) {
  const { pushEntity, pushMany, pushMoves, pushFiles, conflicts, templates, cursors, clock } = options;
  const guard = createPushGuard({ clock });

  async function present(project: Project, { record, merge }: PushOutcome & { kind: 'conflict' }) {
    const shown = await conflicts.show(project, record);
    const template = (await templates.of(project)).types.get(record.entity_type);
    // Without a common ancestor only the cloud's state can be reported.
    if (merge === null || template === undefined) {
      const { fields, markdown_body } = shown.remote;
      return { ...shown, merged: { fields, markdown_body, clean: false } };
    }
    const { fields } = contentOfText(template, merge.text);
    return {
      ...shown,
      merged: { fields, markdown_body: merge.body, clean: merge.clean && merge.structured },
    };
  }

  async function take(
    project: Project,
    pushed: PushedEntity,
    pusher: Pusher,
    reply: PushReply,
  ): Promise<void> {
    const key = keyOf(pushed);
    try {
      const outcome = await pushEntity.take(project, pushed, pusher);
      if (outcome.kind === 'conflict') {
        reply.conflicts.push(await present(project, outcome));
        return;
      }
      accept(reply, key, outcome.row);
    } catch (error) {
      const { entity_type, entity_id } = pushed;
      reply.rejected.push({ entity_type, entity_id, ...refusalOf(error) });
    }
  }

  return async (project: Project, request: PushRequest, pusher: Pusher & FilePusher): Promise<PushReply> => {
    await guard(project, request);
    await templates.knowing(
      project,
      request.entities.map(({ entity_type }) => entity_type),
    );
    const reply: PushReply = {
      accepted: [],
      rejected: [],
      conflicts: [],
      versions: {},
      cursor: null,
      server_timestamp: '',
    };
    // First, so that new entities find their places free.
    await pushMoves(project, request.entities, pusher);
    // Several changes of one entity are applied in order.
    const groups = [...Map.groupBy(request.entities, keyOf).values()];
    const waiting = await pushMany(project, groups, pusher, (pushed, row) =>
      accept(reply, keyOf(pushed), row),
    );
    await eachAtOnce(waiting, AT_ONCE, async (group) => {
      for (const pushed of group) await take(project, pushed, pusher, reply);
    });
    // After the entities, whose folders they need.
    if (request.files) reply.files = await pushFiles(project, request.files, pusher);
    const at = clock.now();
    const seq = await seqAfterOwnWork(project, { conflicts, cursors }, { pushed: request, reply });
    const cursor = seq === null ? null : await cursors.cursorOf(project, { seq, at, complete: false });
    return { ...reply, cursor, server_timestamp: isoTime(at) };
  };
}

function accept(reply: PushReply, key: string, row: EntityRow | null): void {
  reply.accepted.push(key);
  if (row === null) return;
  const { version, file_checksum, path } = row;
  reply.versions[key] = { version, file_checksum, path };
}

export type Push = ReturnType<typeof createPush>;
