import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { Author, Entities, Origin, RecycleBin } from '../entities/index.ts';
import { type EntityRow, type Project, unpackText } from '../records/index.ts';
import type { Decision, DecisionRequest } from './accept.service.ts';
import type { ApplyParts } from './apply-parts.ts';
import { type Choice, choose, isEmpty, partsIn, without } from './parts.ts';
import type { FullRow } from './proposals.store.ts';
import { stamped, textWith } from './proposed-text.ts';
import { presentOf, type Settling, settledBy } from './settle.ts';
import { contentIn, partsOf } from './shown.ts';

export interface UndoOptions {
  entities: Entities;
  recycleBin: RecycleBin;
  applyParts: ApplyParts;
  clock: Clock;
}

const ANY_DAY = '2000-01-01';

/** Takes accepted parts back, over what was written since. The caller holds the proposal's lock. */
export function createUndo({ entities, recycleBin, applyParts, clock }: UndoOptions) {
  /** An entity that the proposal made goes to the recycle bin, unless somebody worked on it since. */
  async function remove(
    project: Project,
    present: EntityRow,
    made: string,
    { author, ifMatch, origin }: { author: Author; ifMatch: HeaderValue; origin: Origin },
  ): Promise<void> {
    const bytes = await project.files.read(present.path).catch(() => null);
    if (bytes !== null && stamped(Buffer.from(bytes).toString(), ANY_DAY) !== stamped(made, ANY_DAY))
      throw conflict(
        `${present.entity_type} '${present.entity_id}' was changed since it was made, so it stays: delete it by itself, or take back single fields`,
        { code: 'entity_changed' },
      );
    const { entity_type: type, entity_id: id } = present;
    await recycleBin.remove(project, type, id, { actor: author.actor, ifMatch, also: origin.also });
  }

  return async (
    project: Project,
    row: FullRow,
    author: Author,
    { ifMatch, ...named }: DecisionRequest,
  ): Promise<Decision> => {
    const parts = partsOf(row);
    const chosen = choose(parts, named, { from: 'accepted', to: 'undone' });
    if (isEmpty(chosen)) return { entity: null, isMerged: false };
    const template = await entities.templateOf(project, row.entity_type);
    const present = await presentOf(project, row);
    const base = await unpackText(row.base, null);
    const accepted = partsIn(parts, 'accepted');
    const left = without(accepted, chosen);
    const textOf = (choice: Choice): string => textWith(template, base, contentIn(row), choice);
    const settling: Settling = {
      choice: chosen,
      part: { state: 'undone', by: author.actor, at: isoTime(clock.now()) },
    };
    const origin: Origin = {
      source: 'api',
      operation_id: row.proposal_id,
      also: settledBy(project, row, settling),
    };
    if (row.base_version === null && isEmpty(left)) {
      await remove(project, present, textOf(accepted), { author, ifMatch, origin });
      return { entity: null, isMerged: false };
    }
    const { row: entity, isMerged } = await applyParts(project, {
      template,
      entityId: present.entity_id,
      actor: author.actor,
      ifMatch,
      origin,
      base: textOf(accepted),
      text: textOf(left),
    });
    return { entity, isMerged };
  };
}
