import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { type Author, type Entities, type Origin, requireUpdate } from '../entities/index.ts';
import { type EntityRow, findEntityRow, type Project, type RecordsDb, unpackText } from '../records/index.ts';
import type { ApplyParts } from './apply-parts.ts';
import { type Choice, choose, isEmpty, type NamedParts, type Parts, partsIn, union } from './parts.ts';
import type { FullRow } from './proposals.store.ts';
import { type Content, textWith } from './proposed-text.ts';
import { presentOf, type Settling, settledBy } from './settle.ts';
import { contentIn, partsOf } from './shown.ts';

export interface DecisionRequest extends NamedParts {
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

/** Accepting: the caller holds the proposal's lock. */
export function createAccept({ entities, applyParts, requireAllowed, clock }: AcceptOptions) {
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
    { ifMatch, ...named }: DecisionRequest,
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
    const choice = withNames(chosen, parts, row);
    const settling: Settling = {
      choice,
      part: { state: 'accepted', by: author.actor, at: isoTime(clock.now()) },
    };
    const origin: Origin = {
      source: 'ai',
      operation_id: row.proposal_id,
      also: settledBy(project, row, settling),
    };
    const text = textWith(template, base, content, union(accepted, choice));
    if (row.row_id === null) {
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
export const withNames = (chosen: Choice, parts: Parts, { row_id }: Pick<FullRow, 'row_id'>): Choice =>
  row_id === null ? union(chosen, namesIn(parts)) : chosen;

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
