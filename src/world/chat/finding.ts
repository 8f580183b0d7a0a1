import { searchTokens } from '../../content/search-text.ts';
import type { Entities } from '../entities/index.ts';
import type { EntityName, Project } from '../records/index.ts';
import { type EntityLines, keyOf, readLines } from './entity-lines.ts';
import { type Passage, passagesOf, termsOf } from './passages.ts';

export interface Found {
  entity: EntityLines;
  passages: Passage[];
}

export interface Finding {
  /** The words that were searched for. */
  terms: string[];
  /** The best first. */
  found: Found[];
}

interface Candidate {
  entity: EntityName;
  score: number;
}

const MOST_A_TERM = 20;
const IN_NAME = 2;

/** Finds what a project says about a question, by its words. */
export function createFinding({
  entities,
}: {
  entities: Pick<Entities, 'search' | 'templateOf' | 'findRow'>;
}) {
  /** A rare word says more than a common one, and a name says most. */
  async function candidatesFor(project: Project, terms: readonly string[]): Promise<Candidate[]> {
    const known = new Map<string, Candidate>();
    for (const term of terms) {
      const phrases = [{ tokens: [term], prefix: false }];
      const [matches] = await entities.search(project, { phrases, entityTypes: null, limit: MOST_A_TERM });
      for (const row of matches?.rows ?? []) {
        const entity = JSON.parse(row) as EntityName & { name: string };
        const candidate = known.get(keyOf(entity)) ?? { entity, score: 0 };
        const weight = searchTokens(entity.name).includes(term) ? IN_NAME : 1;
        candidate.score += weight / (1 + Math.log(1 + (matches?.total ?? 0)));
        known.set(keyOf(entity), candidate);
      }
    }
    return [...known.values()].sort((one, other) => other.score - one.score);
  }

  return async (project: Project, question: string, limit: number): Promise<Finding> => {
    const terms = termsOf(question);
    const candidates = await candidatesFor(project, terms);
    const found: Found[] = [];
    for (const { entity } of candidates.slice(0, limit)) {
      const template = await entities.templateOf(project, entity.entity_type);
      const read = await readLines(entities, project, entity);
      found.push({ entity: read, passages: passagesOf(template, read.text, terms) });
    }
    return { terms, found };
  };
}

export type Find = ReturnType<typeof createFinding>;
