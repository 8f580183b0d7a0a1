import {
  type BodyHunk,
  countWords,
  type Kept,
  keptOfHunks,
  keptOfText,
  textOfValue,
} from '../../../content/ai/index.ts';
import { readDocument } from '../../../content/frontmatter/index.ts';
import { createPauses } from '../../../kit/pauses.ts';
import type { Entities } from '../../entities/index.ts';
import {
  type EntityRow,
  type Project,
  type RecordsDb,
  storedFileText,
  unpackText,
} from '../../records/index.ts';
import { readEntityContent } from '../../texts/index.ts';
import type { Part } from '../parts.ts';
import { contentIn, originIn, partsOf } from '../shown.ts';
import { type UsedRow, usedProposals } from './provenance.store.ts';

const METHOD =
  'Words are compared by the least difference, by lines first. `generated_words` are those that the accepted proposal added, `kept_words` those of them that are still there, and `changed_share` is the share that people have changed or removed since.';

export interface ProvenancePart {
  /** A field, or `markdown_body`. */
  field: string;
  hunk: string | null;
  /** Lines of the present body. */
  lines: { from: number; to: number }[];
  generated_words: number;
  kept_words: number;
  /** From 0 to 1. */
  changed_share: number;
  proposal_id: string;
  change_set_id: string | null;
  provider: string | null;
  model: string | null;
  agent: string | null;
  skills: string[];
  prompt_hash: string | null;
  accepted_by: string;
  accepted_at: string;
  version: number | null;
}

export interface Provenance {
  entity_type: string;
  entity_id: string;
  version: number;
  method: string;
  /** Words of each field and of the body, as far as something of them was generated. */
  words: Record<string, number>;
  total_words: number;
  parts: ProvenancePart[];
}

type Named = Pick<EntityRow, 'row_id' | 'entity_type' | 'entity_id' | 'path' | 'version'>;

interface Present {
  values: ReadonlyMap<string, unknown>;
  body: string;
}

const BODY = 'markdown_body';

/** Parts of an entity that were generated and are still there: from its proposals and its present text. Nothing in its file marks them. */
export function createProvenance({ entities }: { entities: Entities }) {
  async function presentOf(project: Project, row: Named): Promise<Present> {
    const template = await entities.templateOf(project, row.entity_type);
    const text = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
    const content = readEntityContent(template, { path: row.path, text: text ?? '' });
    const values = new Map<string, unknown>(Object.entries(content?.own_fields ?? {}));
    if (content) values.set('name', content.name).set('status', content.status);
    return { values, body: content?.markdown_body ?? '' };
  }

  async function of(project: Project, row: Named): Promise<Provenance> {
    const present = await presentOf(project, row);
    const parts: ProvenancePart[] = [];
    const pause = createPauses();
    for (const used of await usedProposals(project, row.row_id)) {
      await pause();
      parts.push(...fieldParts(used, present), ...(await bodyParts(used, present)));
    }
    const texts = new Map([...present.values].map(([name, value]) => [name, textOfValue(value)]));
    texts.set(BODY, present.body);
    const counts = new Map([...texts].map(([name, text]) => [name, countWords(text)]));
    const { entity_type, entity_id, version } = row;
    return {
      entity_type,
      entity_id,
      version,
      method: METHOD,
      words: Object.fromEntries(parts.map(({ field }) => [field, counts.get(field) ?? 0])),
      total_words: [...counts.values()].reduce((sum, count) => sum + count, 0),
      parts,
    };
  }

  return {
    of,
    get: async (project: Project, entityType: string, entityId: string): Promise<Provenance> =>
      of(project, await entities.findRow(project, entityType, entityId)),
  };
}

export type ProvenanceService = ReturnType<typeof createProvenance>;

function fieldParts(row: UsedRow, { values }: Present): ProvenancePart[] {
  const accepted = acceptedIn(partsOf(row).fields);
  return Object.entries(contentIn(row).fields).flatMap(([field, { before, after }]) => {
    const part = accepted.get(field);
    if (part === undefined) return [];
    const texts = [before, after, values.get(field)].map(textOfValue);
    const kept = keptOfText(texts[0] ?? '', texts[1] ?? '', texts[2] ?? '');
    return kept.kept === 0 ? [] : [partOf(row, part, { field, hunk: null, kept: { ...kept, lines: [] } })];
  });
}

async function bodyParts(row: UsedRow, { body }: Present): Promise<ProvenancePart[]> {
  const accepted = acceptedIn(partsOf(row).hunks);
  if (accepted.size === 0) return [];
  const base = readDocument(await unpackText(row.base, null));
  const hunks = contentIn(row).hunks.filter(({ id }: BodyHunk) => accepted.has(id));
  const kept = keptOfHunks(base.ok ? base.body : '', hunks, body);
  return [...kept].flatMap(([hunk, found]) => {
    const part = accepted.get(hunk);
    return part === undefined || found.kept === 0
      ? []
      : [partOf(row, part, { field: BODY, hunk, kept: found })];
  });
}

const acceptedIn = (parts: Readonly<Record<string, Part>>): Map<string, Part> =>
  new Map(Object.entries(parts).filter(([, { state }]) => state === 'accepted'));

function partOf(
  row: UsedRow,
  part: Part,
  { field, hunk, kept }: { field: string; hunk: string | null; kept: Kept },
): ProvenancePart {
  const { provider, model, agent, skills, prompt_hash } = originIn(row);
  return {
    field,
    hunk,
    lines: rangesOf(kept.lines),
    generated_words: kept.generated,
    kept_words: kept.kept,
    changed_share: rounded(1 - kept.kept / kept.generated),
    proposal_id: row.proposal_id,
    change_set_id: row.change_set_id,
    provider,
    model,
    agent,
    skills,
    prompt_hash,
    accepted_by: part.by ?? '',
    accepted_at: part.at ?? '',
    version: part.version ?? null,
  };
}

export const rounded = (share: number): number => Math.round(share * 1000) / 1000;

/** Neighbouring lines as one range. */
function rangesOf(lines: readonly number[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges;
}
