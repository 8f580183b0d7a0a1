import { type Clock, isoTime } from '../../../kit/clock.ts';
import { conflict, invalidField } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import type { ChangesetRequest, Changesets, OperationReport } from '../../changesets/index.ts';
import type { Author, Entities } from '../../entities/index.ts';
import type { Project } from '../../records/index.ts';
import { draftOfRow } from '../draft-of-row.ts';
import { canonFindingsOf, findingsOf } from '../findings.ts';
import type { CanonFinding, NewProposal, Proposal, ProposalFinding } from '../proposal.ts';
import type { Proposals } from '../proposals.service.ts';
import {
  findProposal,
  listProposals,
  openOfSet,
  plannedEntities,
  type SummaryRow,
} from '../proposals.store.ts';
import { proposalOf } from '../shown.ts';
import { countsOfSets, insertChangeSet, listChangeSets, noteOperation } from './change-sets.store.ts';
import type { Plan } from './plan.ts';
import { type ChangeSet, changeSetOf, MOST_IN_SET, requireChangeSet } from './require-change-set.ts';

/** Change sets that a project may keep. */
const MOST_SETS = 10_000;
/** Open proposals that are judged together. */
const MOST_JUDGED = 100;

export interface ChangeSetsOptions {
  entities: Entities;
  changesets: Changesets;
  proposals: Proposals;
  plan: Plan;
  clock: Clock;
}

export interface ChangeSetDetails extends ChangeSet {
  total: number;
  proposals: Proposal[];
  findings: (ProposalFinding & { proposal_id: string })[];
  canon_findings: CanonFinding[];
}

export type ChangeSets = ReturnType<typeof createChangeSets>;

/** Proposals that are reviewed, accepted and undone together. */
export function createChangeSets({ entities, changesets, proposals, plan, clock }: ChangeSetsOptions) {
  async function open(
    project: Project,
    actor: string,
    { title, agent }: { title: string; agent: string | null },
  ): Promise<ChangeSet> {
    const row = {
      change_set_id: newId(),
      title,
      agent,
      created_by: actor,
      created_at: isoTime(clock.now()),
      operation_id: null,
    };
    if (!(await insertChangeSet(project, row, MOST_SETS)))
      throw conflict(`The project has ${MOST_SETS} change sets: accept or reject some of them first`, {
        code: 'too_many_change_sets',
      });
    return requireChangeSet(project, row.change_set_id);
  }

  async function openRows(
    project: Project,
    changeSetId: string,
    named?: readonly string[],
  ): Promise<SummaryRow[]> {
    const rows = await openOfSet(project, changeSetId, { limit: MOST_IN_SET, offset: 0 });
    if (named === undefined) return rows;
    const known = new Set(rows.map(({ proposal_id }) => proposal_id));
    const unknown = named.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw invalidField('proposals', `has no open proposal '${unknown}': read the change set again`);
    return rows.filter(({ proposal_id }) => named.includes(proposal_id));
  }

  /** Applies the named proposals, or all open ones, as one operation with one undo. 409 if nothing is open, or while another runs. */
  async function accept(
    project: Project,
    author: Author,
    changeSetId: string,
    request: { proposals?: readonly string[] | undefined; onBegin?: ChangesetRequest['onBegin'] } = {},
  ): Promise<OperationReport> {
    const set = await requireChangeSet(project, changeSetId);
    const rows = await openRows(project, changeSetId, request.proposals);
    if (rows.length === 0)
      throw conflict(`The change set is ${set.status}: no proposal of it is open`, {
        code: 'change_set_decided',
      });
    await plan.require(project, rows);
    return changesets.apply(project, {
      kind: 'ai',
      label: set.title,
      author,
      source: 'ai',
      onBegin: request.onBegin,
      async *steps(operationId) {
        await noteOperation(project, changeSetId, operationId);
        yield* plan.steps(project, operationId, rows);
      },
    });
  }

  /** Findings of types, rules and canon about all open drafts together. */
  async function judge(project: Project, changeSetId: string) {
    const rows = await openOfSet(project, changeSetId, { limit: MOST_JUDGED, offset: 0 });
    const planned = await plannedEntities(project, changeSetId);
    const findings: ChangeSetDetails['findings'] = [];
    const drafts = [];
    for (const { proposal_id } of rows) {
      const row = await findProposal(project, proposal_id);
      if (row === undefined) continue;
      const template = await entities.templateOf(project, row.entity_type);
      const draft = await draftOfRow(project, template, row);
      drafts.push(draft);
      for (const finding of await findingsOf(project, draft, planned))
        findings.push({ ...finding, proposal_id });
    }
    const canon_findings = await canonFindingsOf(project, await entities.typesOf(project), drafts);
    return { findings, canon_findings };
  }

  return {
    open,
    accept,

    async list(project: Project, page: { limit: number; offset: number }) {
      const { total, rows } = await listChangeSets(project, page);
      const counts = await countsOfSets(
        project,
        rows.map(({ change_set_id }) => change_set_id),
      );
      return { total, change_sets: rows.map((row) => changeSetOf(row, counts.get(row.change_set_id))) };
    },

    /** With a page of its proposals in full, and the findings of all open ones together. */
    async get(
      project: Project,
      changeSetId: string,
      page: { limit: number; offset: number },
    ): Promise<ChangeSetDetails> {
      const set = await requireChangeSet(project, changeSetId);
      const { total, rows } = await listProposals(project, { change_set_id: changeSetId }, page);
      const full = await Promise.all(rows.map(({ proposal_id }) => findProposal(project, proposal_id)));
      return {
        ...set,
        ...(await judge(project, changeSetId)),
        total,
        proposals: full.flatMap((row) => (row ? [proposalOf(row)] : [])),
      };
    },

    /** Rejects what is open of its proposals. */
    async reject(project: Project, actor: string, changeSetId: string): Promise<ChangeSet> {
      await requireChangeSet(project, changeSetId);
      for (const { proposal_id } of await openRows(project, changeSetId))
        await proposals.reject(project, actor, proposal_id);
      return requireChangeSet(project, changeSetId);
    },

    /** For agents that may write directly: proposes and accepts at once, with the same provenance and the same undo. */
    async applyNow(
      project: Project,
      author: Author,
      request: {
        title: string;
        agent: string | null;
        proposals: readonly Omit<NewProposal, 'change_set_id'>[];
        onBegin?: ChangesetRequest['onBegin'];
      },
    ): Promise<{ change_set_id: string; operation: OperationReport }> {
      const { change_set_id } = await open(project, author.actor, request);
      for (const proposal of request.proposals)
        await proposals.create(project, author.actor, { ...proposal, change_set_id });
      const operation = await accept(project, author, change_set_id, { onBegin: request.onBegin });
      return { change_set_id, operation };
    },
  };
}
