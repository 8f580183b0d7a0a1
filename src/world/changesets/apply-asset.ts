import { HEAD_BYTES, mediaTypeOf } from '../../content/assets/index.ts';
import { classifyPath } from '../../content/paths/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import type { FileStat } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { buryFiles, findFiles, putFiles, takeSequence } from '../records/index.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';
import type { ChangesetDb, StepRow } from './changesets.tables.ts';
import type { StepTools } from './step-tools.ts';
import { settleStep } from './steps.store.ts';

const binOf = (operationId: string, path: string): string => `${RECYCLE_ROOT}/_assets/${operationId}/${path}`;

const placeOf = (step: StepRow) => ({ path: step.path ?? '', checksum: step.checksum ?? '' });

export async function writeAsset(tools: StepTools, step: StepRow): Promise<void> {
  const { files } = tools.project;
  const { path, checksum } = placeOf(step);
  const there = await files.stat(path);
  if (there === undefined) {
    await noteFile(
      tools,
      step,
      await files.write(path, Buffer.from(step.text ?? '', 'base64'), { ifAbsent: true }),
    );
    return;
  }
  if (checksumOf(await files.read(path)) !== checksum) throw conflict('another file is there already');
  await noteFile(tools, step, there);
}

export async function dropAsset(tools: StepTools, step: StepRow): Promise<void> {
  const { files } = tools.project;
  const { path, checksum } = placeOf(step);
  if (await files.stat(path)) {
    if (checksumOf(await files.read(path)) !== checksum)
      throw conflict('it was changed since it was written');
    await moveIfThere(tools, path, binOf(tools.operation.operation_id, path));
  }
  await noteGone(tools, step);
}

/** Restores an asset that an undo has removed. */
export async function returnAsset(tools: StepTools, step: StepRow): Promise<void> {
  const { files } = tools.project;
  const { path, checksum } = placeOf(step);
  await moveIfThere(tools, binOf(tools.operation.undoes ?? '', path), path);
  const stat = await files.stat(path);
  if (stat === undefined || checksumOf(await files.read(path)) !== checksum) {
    throw conflict('it is no longer in the recycle bin');
  }
  await noteFile(tools, step, stat);
}

const moveIfThere = ({ project }: StepTools, from: string, to: string): Promise<void> =>
  project.files.move(from, to).catch(ifGone);

/** Records the file at once, so that the manifest need not wait for a sync. */
async function noteFile(
  { project, templates, now }: StepTools,
  step: StepRow,
  stat: FileStat,
): Promise<void> {
  const { path, checksum } = placeOf(step);
  const { entry_type, entity_type, entity_id } = classifyPath(path, (await templates.of(project)).byFolder);
  const sha256 = checksum.slice('sha256:'.length);
  const head = (await project.files.read(path)).subarray(0, HEAD_BYTES);
  const media_type = mediaTypeOf(head, path);
  const record = { ...stat, entry_type, entity_type, entity_id, sha256, media_type, problem: null };
  await project.database.write(async (db: ChangesetDb) => {
    const firstSeq = await takeSequence(db, project, 1);
    const before = await findFiles(db, project, [path]);
    await putFiles(db, project.database.dialect, project, [record], { before, firstSeq, at: now() });
    await settleStep(db, step, { state: 'done' });
  });
}

async function noteGone({ project, now }: StepTools, step: StepRow): Promise<void> {
  const { path } = placeOf(step);
  await project.database.write(async (db: ChangesetDb) => {
    const firstSeq = await takeSequence(db, project, 1);
    const rows = [...(await findFiles(db, project, [path])).values()].filter(
      (row) => row.deleted_at === null,
    );
    await buryFiles(db, project.database.dialect, rows, { firstSeq, at: now() });
    await settleStep(db, step, { state: 'done' });
  });
}
