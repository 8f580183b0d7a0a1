import { isoDate, isoTime } from '../../kit/clock.ts';
import { conflict, notFound, tooLarge } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Changesets } from '../changesets/index.ts';
import type { Author, RecycleBin } from '../entities/index.ts';
import {
  type EntityName,
  type EntityRow,
  findEntityRow,
  type Project,
  packText,
  type RecordsDb,
} from '../records/index.ts';
import {
  type AcceptOptions,
  createAccept,
  type Decision,
  type DecisionRequest,
  partNames,
} from './accept.service.ts';
import { createApplyParts } from './apply-parts.ts';
import { MOST_IN_SET, requireChangeSet } from './change-sets/require-change-set.ts';
import { type Draft, draftOf } from './draft.ts';
import { canonFindingsOf, findingsOf, firstOf } from './findings.ts';
import { choose, decided, isEmpty, type Part, type Parts, partsIn } from './parts.ts';
import type { NewProposal, Proposal } from './proposal.ts';
import {
  type FullRow,
  findProposal,
  insertProposal,
  listProposals,
  type ProposalFilter,
  plannedEntities,
  removeOld,
} from './proposals.store.ts';
import type { ProposalsDb } from './proposals.tables.ts';
import { changeOf, storeDecision } from './settle.ts';
import { partsOf, proposalOf, type StoredFindings, summaryOf } from './shown.ts';
import { createUndo } from './undo.service.ts';

/** Open proposals of a project. */
const MOST_OPEN = 2_000;
/** Days after which a proposal of which nothing was accepted is removed: once it is decided, and while it is open. */
const KEEP_DAYS = { decided: 30, open: 90 };
const DAY_MS = 24 * 3_600_000;
const REMOVE_EVERY_MS = 3_600_000;
/** Characters of a proposal's texts, findings and origin together. */
const LONGEST = 2_000_000;

export interface ProposalsOptions extends Pick<AcceptOptions, 'entities' | 'clock' | 'requireAllowed'> {
  recycleBin: RecycleBin;
  operations: Pick<Changesets, 'isUnfinished'>;
}

export interface Decided extends Decision {
  proposal: Proposal;
}

export type Proposals = ReturnType<typeof createProposals>;

/** Changes that wait for somebody's decision (README.md). */
export function createProposals(options: ProposalsOptions) {
  const { entities, recycleBin, operations, clock, requireAllowed } = options;
  const now = () => isoTime(clock.now());
  const applyParts = createApplyParts({ entities, clock });
  const accept = createAccept({ entities, applyParts, requireAllowed, clock });
  const undo = createUndo({ entities, recycleBin, applyParts, clock });

  const removedAt = new WeakMap<Project, number>();

  /** At most once an hour, when a proposal is made. */
  async function makeRoom(project: Project): Promise<void> {
    const at = clock.now();
    if (at < (removedAt.get(project) ?? Number.NEGATIVE_INFINITY) + REMOVE_EVERY_MS) return;
    removedAt.set(project, at);
    await removeOld(project, {
      decidedBefore: isoTime(at - KEEP_DAYS.decided * DAY_MS),
      openBefore: isoTime(at - KEEP_DAYS.open * DAY_MS),
    });
  }

  async function find(project: Project, proposalId: string): Promise<FullRow> {
    const row = await findProposal(project, proposalId);
    if (row) return row;
    throw notFound('There is no such proposal', { code: 'no_such_proposal' });
  }

  const get = async (project: Project, proposalId: string): Promise<Proposal> =>
    proposalOf(await find(project, proposalId));

  /** One decision at a time. */
  async function decide(
    project: Project,
    proposalId: string,
    work: (row: FullRow) => Promise<Decision>,
  ): Promise<Decided> {
    const decision = await project.database.exclusive(`proposal ${proposalId}`, async () => {
      const row = await find(project, proposalId);
      await requireFree(project, row);
      return work(row);
    });
    return { ...decision, proposal: await get(project, proposalId) };
  }

  /** 409 while an operation that is not over has the proposal. */
  async function requireFree(project: Project, { operation_id: id }: FullRow): Promise<void> {
    if (id === null || !(await operations.isUnfinished(project, id))) return;
    throw conflict('The change set of the proposal is being accepted: try again when that is done', {
      code: 'operation_running',
      body: { operation_id: id },
    });
  }

  async function rowFor(project: Project, proposal: NewProposal): Promise<EntityRow | null> {
    const { entity_type: type, entity_id: id, base_version: version } = proposal;
    if (version !== null) return entities.findRow(project, type, id);
    const present = await project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));
    if (present === undefined) return null;
    throw conflict(`${type} '${id}' exists already: propose a change of it, or another id`, {
      code: 'entity_exists',
    });
  }

  /** Entities that other drafts of the same change set create. 404 for an unknown set, 409 for a second creation or a full set. */
  async function plannedBeside(project: Project, proposal: NewProposal): Promise<EntityName[]> {
    const { change_set_id: id, entity_type, entity_id } = proposal;
    if (id === null) return [];
    const set = await requireChangeSet(project, id);
    if (Object.values(set.counts).reduce((sum, count) => sum + count, 0) >= MOST_IN_SET)
      throw conflict(`A change set holds ${MOST_IN_SET} proposals: open another`, {
        code: 'change_set_full',
      });
    const planned = await plannedEntities(project, id);
    const isTwice = planned.some(
      (other) => other.entity_type === entity_type && other.entity_id === entity_id,
    );
    if (proposal.base_version !== null || !isTwice) return planned;
    throw conflict(`The change set proposes ${entity_type} '${entity_id}' already: reject that first`, {
      code: 'proposed_already',
    });
  }

  /** Stores a proposal after checking it as a draft. 404, 409, 413 and 422 for one that could never be accepted. */
  async function create(project: Project, actor: string, proposal: NewProposal): Promise<Proposal> {
    const template = await entities.templateOf(project, proposal.entity_type);
    const row = await rowFor(project, proposal);
    const draft = await draftOf(project, template, proposal, { row, today: isoDate(clock.now()) });
    const parts = openParts(draft);
    await requireAllowed(project, proposal.entity_type, partNames(partsIn(parts, 'open')));
    const planned = await plannedBeside(project, proposal);
    const found: StoredFindings = {
      findings: [...firstOf(proposal.findings), ...(await findingsOf(project, draft, planned))],
      canon_findings: await canonFindingsOf(project, await entities.typesOf(project), [draft]),
    };
    await makeRoom(project);
    const at = now();
    const { base } = draft;
    const texts = {
      parts: JSON.stringify(parts),
      origin: JSON.stringify(proposal.origin),
      findings: JSON.stringify(found),
      content: JSON.stringify(draft.content),
    };
    requireLength(texts);
    const stored = {
      proposal_id: newId(),
      change_set_id: proposal.change_set_id,
      row_id: row?.row_id ?? null,
      entity_type: template.entity_type,
      entity_id: proposal.entity_id,
      base_version: row === null ? null : proposal.base_version,
      status: 'pending' as const,
      is_open: 1,
      is_used: 0,
      revision: 1,
      operation_id: null,
      created_by: actor,
      created_at: at,
      updated_at: at,
      ...texts,
      base: await packText(base.document.head + base.document.body, null),
    };
    if (!(await insertProposal(project, stored, MOST_OPEN))) throw tooMany();
    return get(project, stored.proposal_id);
  }

  return {
    create,
    get,

    /** Newest first, without texts. */
    async list(project: Project, filter: ProposalFilter, page: { limit: number; offset: number }) {
      const { total, rows } = await listProposals(project, filter, page);
      return { total, proposals: rows.map(summaryOf) };
    },

    /** Applies the named parts, or all open ones, to the present version. Parts that are accepted already stay so. */
    accept: (
      project: Project,
      author: Author,
      proposalId: string,
      request: DecisionRequest = {},
    ): Promise<Decided> => decide(project, proposalId, (row) => accept(project, row, author, request)),

    /** Takes the named accepted parts back, or all of them, over what was written since. */
    undo: (
      project: Project,
      author: Author,
      proposalId: string,
      request: DecisionRequest = {},
    ): Promise<Decided> => decide(project, proposalId, (row) => undo(project, row, author, request)),

    /** Rejects what is still open. */
    reject: (project: Project, actor: string, proposalId: string): Promise<Decided> =>
      decide(project, proposalId, async (row) => {
        const at = now();
        const parts = partsOf(row);
        const open = choose(parts, {}, { from: 'open', to: 'rejected' });
        const change = {
          ...changeOf(decided(parts, open, { state: 'rejected', by: actor, at }), at),
          operation_id: null,
        };
        if (!isEmpty(open))
          await project.database.write((db: ProposalsDb) => storeDecision(db, project, row, change));
        return { entity: null, isMerged: false };
      }),
  };
}

const OPEN: Part = { state: 'open' };

const openParts = ({ content }: Draft): Parts => ({
  fields: Object.fromEntries(Object.keys(content.fields).map((name) => [name, OPEN])),
  hunks: Object.fromEntries(content.hunks.map(({ id }) => [id, OPEN])),
});

function requireLength(texts: Readonly<Record<string, string>>): void {
  const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  if (length <= LONGEST) return;
  throw tooLarge(
    `The proposal has ${length} characters with its findings and sources; ${LONGEST} are allowed`,
    {
      code: 'proposal_too_large',
    },
  );
}

const tooMany = () =>
  conflict(`The project has ${MOST_OPEN} open proposals: accept or reject some of them first`, {
    code: 'too_many_proposals',
  });
