import { inProject } from '../../platform/database/scoped.ts';
import { type EntityName, type Project, scopeColumns } from '../records/index.ts';
import type { ProposalStatus } from './proposals.contract.ts';
import type { ProposalRow, ProposalsDb, ProposalsTable } from './proposals.tables.ts';

const ofProject = (db: ProposalsDb, project: Project) => inProject(db, project).selectFrom('proposals');

const SUMMARY = [
  'proposals.proposal_id',
  'proposals.change_set_id',
  'proposals.row_id',
  'proposals.entity_type',
  'proposals.entity_id',
  'proposals.base_version',
  'proposals.status',
  'proposals.revision',
  'proposals.operation_id',
  'proposals.created_by',
  'proposals.created_at',
  'proposals.updated_at',
  'proposals.parts',
  'proposals.origin',
  'proposals.findings',
] as const;

export type SummaryRow = Omit<
  ProposalRow,
  'tenant_id' | 'project_id' | 'is_open' | 'is_used' | 'content' | 'base'
> & { present_id: string | null };

export type FullRow = SummaryRow & Pick<ProposalRow, 'content' | 'base'>;

/** With the entity's present id; null while there is no such entity. */
const withName = (db: ProposalsDb, project: Project) =>
  ofProject(db, project)
    .leftJoin('entities', 'entities.row_id', 'proposals.row_id')
    .select([...SUMMARY, 'entities.entity_id as present_id']);

export interface ProposalFilter {
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  status?: ProposalStatus | undefined;
  change_set_id?: string | undefined;
}

/** Newest first. */
export const listProposals = (
  project: Project,
  filter: ProposalFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: SummaryRow[] }> =>
  project.database.read(async (db: ProposalsDb) => {
    const found = withName(db, project)
      .$if(filter.entity_type !== undefined, (query) =>
        query.where('proposals.entity_type', '=', filter.entity_type ?? ''),
      )
      .$if(filter.entity_id !== undefined, (query) =>
        query.where((eb) =>
          eb(eb.fn.coalesce('entities.entity_id', 'proposals.entity_id'), '=', filter.entity_id ?? ''),
        ),
      )
      .$if(filter.status !== undefined, (query) =>
        query.where('proposals.status', '=', filter.status ?? 'pending'),
      )
      .$if(filter.change_set_id !== undefined, (query) =>
        query.where('proposals.change_set_id', '=', filter.change_set_id ?? ''),
      );
    const { total } = await found
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await found
      .orderBy('proposals.created_at', 'desc')
      .orderBy('proposals.proposal_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return { total: Number(total), rows };
  });

export const findProposal = (project: Project, proposalId: string): Promise<FullRow | undefined> =>
  project.database.read((db: ProposalsDb) =>
    withName(db, project)
      .select(['proposals.content', 'proposals.base'])
      .where('proposal_id', '=', proposalId)
      .executeTakeFirst(),
  );

/**
 * Removes proposals of which nothing was ever accepted: decided ones that were last changed before one time (ISO), open ones before
 * another, and change sets without any that are older than the latter.
 */
export const removeOld = (
  project: Project,
  { decidedBefore, openBefore }: { decidedBefore: string; openBefore: string },
): Promise<unknown> =>
  project.database.write(async (db: ProposalsDb) => {
    const { deleteFrom } = inProject(db, project);
    for (const [isOpen, before] of [
      [0, decidedBefore],
      [1, openBefore],
    ] as const)
      await deleteFrom('proposals')
        .where('is_used', '=', 0)
        .where('is_open', '=', isOpen)
        .where('updated_at', '<', before)
        .execute();
    await deleteFrom('change_sets')
      .where('created_at', '<', openBefore)
      .where(
        'change_set_id',
        'not in',
        ofProject(db, project)
          .select('change_set_id')
          .where('change_set_id', 'is not', null)
          .$castTo<{ change_set_id: string }>(),
      )
      .execute();
  });

export const insertProposal = (
  project: Project,
  row: Omit<ProposalsTable, 'tenant_id' | 'project_id'>,
  most: number,
): Promise<boolean> =>
  project.database.write(async (db: ProposalsDb) => {
    const { open } = await ofProject(db, project)
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('is_open', '=', 1)
      .executeTakeFirstOrThrow();
    if (Number(open) >= most) return false;
    await db
      .insertInto('proposals')
      .values({ ...row, ...scopeColumns(project) })
      .execute();
    return true;
  });

export type ProposalChange = Partial<
  Pick<ProposalsTable, 'status' | 'parts' | 'is_open' | 'updated_at' | 'row_id' | 'is_used' | 'operation_id'>
>;

/** False if the proposal is no longer in the revision that the change was made from. */
export async function updateProposal(
  db: ProposalsDb,
  project: Project,
  { proposal_id, revision }: Pick<ProposalRow, 'proposal_id' | 'revision'>,
  change: ProposalChange,
): Promise<boolean> {
  const { numUpdatedRows } = await inProject(db, project)
    .updateTable('proposals')
    .set({ ...change, revision: revision + 1 })
    .where('proposal_id', '=', proposal_id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The open proposals of a change set in the order in which they were made. */
export const openOfSet = (
  project: Project,
  changeSetId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<SummaryRow[]> =>
  project.database.read((db: ProposalsDb) =>
    withName(db, project)
      .where('proposals.change_set_id', '=', changeSetId)
      .where('proposals.is_open', '=', 1)
      .orderBy('proposals.created_at')
      .orderBy('proposals.proposal_id')
      .limit(limit)
      .offset(offset)
      .execute(),
  );

/** Proposals that an operation has claimed or decided. */
export const proposalsOfOperation = (
  db: ProposalsDb,
  project: Project,
  operationId: string,
  entity: { row_id: number; entity_type: string; entity_id: string },
): Promise<SummaryRow[]> =>
  withName(db, project)
    .where('proposals.operation_id', '=', operationId)
    .where((eb) =>
      eb.or([
        eb('proposals.row_id', '=', entity.row_id),
        eb.and([
          eb('proposals.row_id', 'is', null),
          eb('proposals.entity_type', '=', entity.entity_type),
          eb('proposals.entity_id', '=', entity.entity_id),
        ]),
      ]),
    )
    .execute();

/** Entities that open proposals of a change set would create. */
export const plannedEntities = (project: Project, changeSetId: string): Promise<EntityName[]> =>
  project.database.read((db: ProposalsDb) =>
    ofProject(db, project)
      .select(['entity_type', 'entity_id'])
      .where('change_set_id', '=', changeSetId)
      .where('base_version', 'is', null)
      .where('is_open', '=', 1)
      .execute(),
  );
