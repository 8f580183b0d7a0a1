import type { EntityRow, Project } from '../../records/index.ts';
import {
  type Provenance,
  type ProvenancePart,
  type ProvenanceService,
  rounded,
} from './provenance.service.ts';
import { entitiesWithProposals } from './provenance.store.ts';

/** One field of an entity, or its body, of which something generated is still there. */
export interface DisclosedField {
  field: string;
  /** Words of the field now, and those of them that were generated. */
  words: number;
  generated_words: number;
  generated_share: number;
  /** Share of what was generated that people have changed or removed since. */
  changed_share: number;
  models: string[];
  last_accepted_at: string;
}

export interface DisclosedEntity {
  entity_type: string;
  entity_id: string;
  name: string;
  fields: DisclosedField[];
}

const PAGE = 50;

/** Entities of which something generated is still there; a page at a time, so that memory does not grow with the project. */
export async function* disclosedEntities(
  project: Project,
  provenance: ProvenanceService,
): AsyncGenerator<DisclosedEntity> {
  let after = 0;
  for (;;) {
    const rows = await entitiesWithProposals(project, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const row of rows) {
      const found = disclosedOf(row, await provenance.of(project, row));
      if (found.fields.length > 0) yield found;
    }
    after = last.row_id;
  }
}

function disclosedOf(
  { entity_type, entity_id, name }: Pick<EntityRow, 'entity_type' | 'entity_id' | 'name'>,
  { parts, words }: Provenance,
): DisclosedEntity {
  const byField = Map.groupBy(parts, ({ field }) => field);
  const fields = [...byField].map(([field, own]) => fieldOf(field, words[field] ?? 0, own));
  return { entity_type, entity_id, name, fields };
}

function fieldOf(field: string, words: number, parts: readonly ProvenancePart[]): DisclosedField {
  const sum = (of: (part: ProvenancePart) => number) => parts.reduce((total, part) => total + of(part), 0);
  const generated = sum((part) => part.generated_words);
  const kept = sum((part) => part.kept_words);
  // Two proposals may have brought the same word.
  const present = Math.min(words, kept);
  return {
    field,
    words,
    generated_words: present,
    generated_share: words === 0 ? 0 : rounded(present / words),
    changed_share: rounded(1 - kept / generated),
    models: [...new Set(parts.map(modelOf))].sort(),
    last_accepted_at:
      parts
        .map(({ accepted_at }) => accepted_at)
        .sort()
        .at(-1) ?? '',
  };
}

const modelOf = ({ provider, model, agent }: ProvenancePart): string =>
  [agent, model ?? provider].filter((name) => name !== null).join(' / ') || 'unknown';
