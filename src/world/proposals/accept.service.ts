import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, type HttpError } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { type Author, type Entities, type Origin, requireUpdate } from '../entities/index.ts';
import {
  type EntityRow,
  findEntityRow,
  findRowById,
  type Project,
  type RecordsDb,
  unpackText,
} from '../records/index.ts';
import type { ApplyParts } from './apply-parts.ts';
import {
  type Choice,
  choose,
  decided,
  isEmpty,
  type NamedParts,
  type Part,
  type Parts,
  partsIn,
  statusOf,
  union,
} from './parts.ts';
import { type FullRow, type ProposalChange, updateProposal } from './proposals.store.ts';
import type { ProposalsDb } from './proposals.tables.ts';
import { type Content, textWith } from './proposed-text.ts';
import { contentIn, partsOf } from './shown.ts';

export interface AcceptRequest extends NamedParts {
  ifMatch?: HeaderValue;
}

export interface Decision {
  /** Null if nothing was written. */
  entity: EntityRow | null;
  isMerged: boolean;
}

export interface AcceptOptions {
  entities: Entities;
  applyParts: ApplyParts;
  /** 409 for what the project's settings forbid; parts are fields and `markdown_body`. */
  requireAllowed(project: Project, entityType: string, parts: Iterable<string>): Promise<void>;
  clock: Clock;
}

/** What is stored of a decision. */
export function changeOf(parts: Parts, at: string): ProposalChange {
  const isOpen = !isEmpty(partsIn(parts, 'open'));
  return { status: statusOf(parts), parts: JSON.stringify(parts), is_open: isOpen ? 1 : 0, updated_at: at };
}

/** Accepting: the caller holds the proposal's lock. */
export function createAccept({ entities, applyParts, requireAllowed, clock }: AcceptOptions) {
  function originOf(project: Project, row: FullRow, choice: Choice, part: Omit<Part, 'version'>): Origin {
    return {
      source: 'ai',
      operation_id: row.proposal_id,
      async also(db: RecordsDb, stored: EntityRow) {
        const parts = decided(partsOf(row), choice, { ...part, version: stored.version });
        const change = { ...changeOf(parts, part.at ?? ''), is_used: 1, row_id: stored.row_id };
        if (!(await updateProposal(db as unknown as ProposalsDb, project, row, change)))
          throw changedMeanwhile();
      },
    };
  }

  async function intoNew(
    project: Project,
    template: TemplateDefinition,
    { row, text }: { row: FullRow; text: string },
    author: Author,
    origin: Origin,
  ): Promise<EntityRow> {
    const name = { entity_type: row.entity_type, entity_id: row.entity_id };
    const file = { entityId: row.entity_id, text };
    return entities.alone(project, name, async () => {
      const present = await project.database.read((db: RecordsDb) =>
        findEntityRow(db, project, name.entity_type, name.entity_id),
      );
      // A sweep that found the file of an interrupted acceptance stored it as an edit from outside.
      if (present?.file_checksum !== checksumOf(text))
        return entities.writeNew(project, template, file, author, origin);
      await project.database.write((db: RecordsDb) => origin.also(db, present));
      return present;
    });
  }

  return async (
    project: Project,
    row: FullRow,
    author: Author,
    { ifMatch, ...named }: AcceptRequest,
  ): Promise<Decision> => {
    const parts = partsOf(row);
    const chosen = choose(parts, named, { from: 'open', to: 'accepted' });
    if (isEmpty(chosen)) return { entity: null, isMerged: false };
    const template = await entities.templateOf(project, row.entity_type);
    const content = contentIn(row);
    await requireAllowed(project, row.entity_type, partNames(chosen));
    requireValues(template, content, chosen);
    const base = await unpackText(row.base, null);
    const accepted = partsIn(parts, 'accepted');
    const isNew = row.row_id === null;
    const choice = isNew ? union(chosen, namesIn(parts)) : chosen;
    const origin = originOf(project, row, choice, {
      state: 'accepted',
      by: author.actor,
      at: isoTime(clock.now()),
    });
    const text = textWith(template, base, content, union(accepted, choice));
    if (isNew) {
      const entity = await intoNew(project, template, { row, text }, author, origin);
      return { entity, isMerged: false };
    }
    const present = await presentOf(project, row);
    const application = {
      template,
      entityId: present.entity_id,
      actor: author.actor,
      ifMatch,
      origin,
      base: textWith(template, base, content, accepted),
      text,
    };
    const { row: entity, isMerged } = await applyParts(project, application);
    return { entity, isMerged };
  };
}

/** The body is one part of the entity, whatever hunks it has. */
export const partNames = ({ fields, hunks }: Choice): string[] => [
  ...fields,
  ...(hunks.size > 0 ? ['markdown_body'] : []),
];

/** A new file has a name and a status, whatever else is chosen. */
const namesIn = ({ fields }: Parts): Choice => ({
  fields: new Set(['name', 'status'].filter((name) => Object.hasOwn(fields, name))),
  hunks: new Set(),
});

/** 422 as for any save: a finding becomes a refusal where a value has the wrong type. */
export function requireValues(template: TemplateDefinition, { fields }: Content, choice: Choice): void {
  const {
    name: _,
    status: __,
    ...values
  } = Object.fromEntries(
    Object.entries(fields).flatMap(([field, { after }]) =>
      choice.fields.has(field) ? [[field, after]] : [],
    ),
  );
  requireUpdate(template, { fields: values });
}

/** The entity of a proposal whatever it is called now; 409 if it was deleted. */
export async function presentOf(project: Project, row: FullRow): Promise<EntityRow> {
  const present = await project.database.read((db: RecordsDb) => findRowById(db, project, row.row_id ?? 0));
  if (present) return present;
  throw conflict(`${row.entity_type} '${row.entity_id}' is gone: restore it from the recycle bin first`, {
    code: 'entity_gone',
  });
}

export const changedMeanwhile = (): HttpError =>
  conflict('The proposal was decided at the same time: read it again', { code: 'proposal_changed' });
