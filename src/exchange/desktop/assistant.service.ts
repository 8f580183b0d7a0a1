import { searchTokens } from '../../content/search-text.ts';
import type { Entities } from '../../world/entities/index.ts';
import type { Project } from '../../world/records/index.ts';
import { passagesOf, type SearchedEntity, termsOf } from './passages.ts';

export interface UsedEntity {
  entity_type: string;
  entity_id: string;
  name: string;
  passages: string[];
  link: string;
  url: string;
}

export interface ChatAnswer {
  offline: true;
  provider: null;
  message: { role: 'assistant'; content: string };
  entities: UsedEntity[];
  terms: string[];
}

interface Candidate {
  entity: SearchedEntity;
  score: number;
}

const MOST_A_TERM = 20;
const IN_NAME = 2;

const keyOf = ({ entity_type, entity_id }: SearchedEntity): string => `${entity_type}/${entity_id}`;

/** Answers from the project's own texts, without any outside service (spec 1 §4.8, "offline-capable"). */
export function createAssistant({ entities }: { entities: Pick<Entities, 'search'> }) {
  /** A rare word says more than a common one, and a name says most. */
  async function candidatesFor(project: Project, terms: readonly string[]): Promise<Candidate[]> {
    const found = new Map<string, Candidate>();
    for (const term of terms) {
      const phrases = [{ tokens: [term], prefix: false }];
      const [matches] = await entities.search(project, { phrases, entityTypes: null, limit: MOST_A_TERM });
      for (const row of matches?.rows ?? []) {
        const entity = JSON.parse(row) as SearchedEntity;
        const candidate = found.get(keyOf(entity)) ?? { entity, score: 0 };
        const weight = searchTokens(entity.name).includes(term) ? IN_NAME : 1;
        candidate.score += weight / (1 + Math.log(1 + (matches?.total ?? 0)));
        found.set(keyOf(entity), candidate);
      }
    }
    return [...found.values()].sort((one, other) => other.score - one.score);
  }

  return {
    async answer(project: Project, question: string, limit: number): Promise<ChatAnswer> {
      const terms = termsOf(question);
      const candidates = await candidatesFor(project, terms);
      const used = candidates.slice(0, limit).map(({ entity }) => usedOf(entity, terms));
      return {
        offline: true,
        provider: null,
        message: { role: 'assistant', content: contentOf(used, terms) },
        entities: used,
        terms,
      };
    },
  };
}

export type Assistant = ReturnType<typeof createAssistant>;

function usedOf(entity: SearchedEntity, terms: readonly string[]): UsedEntity {
  const { entity_type, entity_id, name } = entity;
  return {
    entity_type,
    entity_id,
    name,
    passages: passagesOf(entity, terms),
    link: `[[${entity_type}:${entity_id}]]`,
    url: `/api/entity/${entity_type}/${entity_id}`,
  };
}

function contentOf(used: readonly UsedEntity[], terms: readonly string[]): string {
  if (used.length === 0)
    return `The project says nothing of ${terms.join(', ') || 'this'}. No AI provider is configured, so nobody else was asked.`;
  const parts = used.map(({ name, entity_type, link, passages }) =>
    [`**${name}** (${entity_type}), ${link}`, ...passages.map((passage) => `> ${passage}`)].join('\n'),
  );
  return ['This is what the project says:', ...parts].join('\n\n');
}
