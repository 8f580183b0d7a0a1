import { conflict, notFound } from '../../kit/errors.ts';
import { type Author, changedParts, type Entities } from '../../world/entities/index.ts';
import { findEntityRow, type Project, type RecordsDb, readRevision } from '../../world/records/index.ts';
import type { ReplicaConflicts } from '../sync/index.ts';
import type { CloudDb } from './cloud.tables.ts';
import { type Cloud, CloudError, type ConflictAnswer, type ConflictRecord } from './cloud-port.ts';
import {
  answeredConflicts,
  findConflict,
  type KeptConflict,
  openConflicts,
  patchConflict,
} from './conflicts.store.ts';
import { findVersionSaying } from './versions.store.ts';

/** `local` is what this installation sent, `remote` what the cloud had. */
export interface CloudConflict {
  conflict_id: string;
  entity_type: string;
  entity_id: string;
  conflicting_fields: string[];
  status: 'unresolved' | 'resolved';
  /** False once resolved here, until the cloud has been told. */
  is_told: boolean;
  record: Record<string, unknown>;
}

function shownConflict(kept: KeptConflict): CloudConflict {
  const record = JSON.parse(kept.record) as ConflictRecord;
  const { conflict_id, entity_type, entity_id, answer } = kept;
  const isAnswered = answer !== null;
  return {
    conflict_id,
    entity_type,
    entity_id,
    conflicting_fields: record.conflicting_fields,
    status: isAnswered ? 'resolved' : kept.status,
    is_told: !isAnswered,
    record,
  };
}

const alreadyResolved = () => conflict('This conflict is resolved already', { code: 'already_resolved' });

/** Conflicts of the cloud; they can be resolved offline. */
export function createCloudConflicts({ entities }: { entities: Entities }) {
  const list = async (project: Project): Promise<CloudConflict[]> => {
    const kept = await project.database.read((db: CloudDb) => openConflicts(db, project));
    return kept.map(shownConflict);
  };

  async function unresolved(project: Project, conflictId: string): Promise<KeptConflict> {
    const kept = await project.database.read((db: CloudDb) => findConflict(db, project, conflictId));
    if (kept === undefined)
      throw notFound(`There is no conflict ${conflictId}`, { code: 'no_such_conflict' });
    if (kept.status === 'resolved' || kept.answer !== null) throw alreadyResolved();
    return kept;
  }

  /** Makes the text sent from here the newest version again. False if it is no longer kept. */
  async function takeOwnText(project: Project, kept: KeptConflict, { actor }: Author): Promise<boolean> {
    const { entity_type: type, entity_id: id } = kept;
    const { local } = JSON.parse(kept.record) as ConflictRecord;
    const template = await entities.templateOf(project, type);
    return entities.alone(project, { entity_type: type, entity_id: id }, async () => {
      const row = await project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));
      const version =
        row && (await project.database.read((db: RecordsDb) => findVersionSaying(db, row, local.checksum)));
      const own = row && version !== undefined && (await readRevision(project, row.row_id, version));
      if (!own) return false;
      await entities.changeHeld(project, template, row, { actor }, ({ text }) =>
        own.text === text ? null : { next: own.text, changed: changedParts(text, own.text) },
      );
      return true;
    });
  }

  /** The local text becomes an ordinary edit of the current version; every other choice is carried out by the cloud. */
  async function answerFor(
    project: Project,
    kept: KeptConflict,
    choice: ConflictAnswer,
    author: Author,
  ): Promise<ConflictAnswer> {
    const { resolution, fields, markdown_body } = choice;
    if (resolution === 'local' && (await takeOwnText(project, kept, author))) return { resolution: 'cloud' };
    return { resolution, ...(fields && { fields }), ...(markdown_body !== undefined && { markdown_body }) };
  }

  async function resolve(
    project: Project,
    conflictId: string,
    choice: ConflictAnswer,
    author: Author,
  ): Promise<CloudConflict> {
    const kept = await unresolved(project, conflictId);
    const answer = JSON.stringify(await answerFor(project, kept, choice, author));
    await project.database.write((db: CloudDb) => patchConflict(db, project, conflictId, { answer }));
    return shownConflict({ ...kept, answer });
  }

  return { list, resolve };
}

const isOver = ({ reason }: CloudError): boolean =>
  reason === 'already_resolved' || reason === 'no_such_conflict';

/** Sends the answers given here; `leave` gets those the cloud rejects. Resolves to whether there were any. */
export async function deliverAnswers(
  project: Project,
  { cloud, onRequest }: { cloud: Cloud; onRequest(): void },
  leave: Parameters<ReplicaConflicts['deliver']>[0],
): Promise<boolean> {
  const settle = (conflictId: string, status: KeptConflict['status']): Promise<void> =>
    project.database.write((db: CloudDb) => patchConflict(db, project, conflictId, { status, answer: null }));
  const answered = await project.database.read((db: CloudDb) => answeredConflicts(db, project));
  for (const { conflict_id, answer } of answered) {
    onRequest();
    try {
      await cloud.answerConflict(conflict_id, JSON.parse(answer ?? '{}') as ConflictAnswer);
      await settle(conflict_id, 'resolved');
    } catch (error) {
      if (!(error instanceof CloudError && error.code === 'refused')) throw error;
      leave(`c:${conflict_id}`, error.message);
      await settle(conflict_id, isOver(error) ? 'resolved' : 'unresolved');
    }
  }
  return answered.length > 0;
}
