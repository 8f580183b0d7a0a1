import { parseSearchQuery } from '../../content/search-text.ts';
import type { Embeddings, FoundEntity, IndexProgress } from '../embeddings/index.ts';
import { documentsOf, type Entities } from '../entities/index.ts';
import type { AiCaller } from '../models/index.ts';
import type { Project } from '../records/index.ts';
import { fuseRanks } from './fuse-ranks.ts';

export interface SearchQuery {
  q: string;
  types: readonly string[] | null;
  limit: number;
}

export interface SearchCaller {
  caller: AiCaller;
  signal: AbortSignal;
}

interface Group {
  entityType: string;
  total: number;
  /** JSON texts. */
  rows: string[];
}

export interface SearchReply {
  total: number;
  groups: Group[];
  index?: IndexProgress;
}

/** An entity's JSON, by its type and id. */
type Documents = Map<string, string>;

const keyOf = (entity: { entity_type: string; entity_id: string }): string =>
  `${entity.entity_type}\n${entity.entity_id}`;

const keyIn = (json: string): string => keyOf(JSON.parse(json));

const typeIn = (key: string): string => key.split('\n', 1)[0] ?? '';

function inGroups(keys: readonly string[], documents: Documents): SearchReply {
  const groups = [...Map.groupBy(keys, typeIn)].map(([entityType, own]) => {
    const rows = own.flatMap((key) => documents.get(key) ?? []);
    return { entityType, total: rows.length, rows };
  });
  return { total: groups.reduce((sum, { total }) => sum + total, 0), groups };
}

const withFinding = (json: string, { score, passage }: FoundEntity): string =>
  `${json.slice(0, -1)},${JSON.stringify({ score, passage }).slice(1)}`;

export function createSearch({ entities, embeddings }: { entities: Entities; embeddings: Embeddings }) {
  /** One list for all types, or one for each that is asked for; best first. */
  const wordLists = (project: Project, { q, types, limit }: SearchQuery) =>
    entities.search(project, { phrases: parseSearchQuery(q), entityTypes: types, limit });

  async function meaningList(project: Project, { q, types, limit }: SearchQuery, by: SearchCaller) {
    const { items, index } = await embeddings.search(project, q, { ...by, types, limit });
    const jsons = await project.database.read((db: Parameters<typeof documentsOf>[0]) =>
      documentsOf(
        db,
        items.map(({ row_id }) => row_id),
      ),
    );
    const byKey = new Map(items.map((item) => [keyOf(item), item]));
    const documents: Documents = new Map();
    for (const json of jsons) {
      const key = keyIn(json);
      const item = byKey.get(key);
      if (item) documents.set(key, withFinding(json, item));
    }
    return { keys: items.map(keyOf), documents, index };
  }

  return {
    async byWords(project: Project, query: SearchQuery): Promise<SearchReply> {
      const lists = await wordLists(project, query);
      const groups = lists.flatMap(({ entityType, total, rows }) =>
        [...Map.groupBy(rows, (row) => entityType ?? typeIn(keyIn(row)))].map(([type, own]) => ({
          entityType: type,
          total: entityType === null ? own.length : total,
          rows: own,
        })),
      );
      return { total: lists.reduce((sum, { total }) => sum + total, 0), groups };
    },
    async byMeaning(project: Project, query: SearchQuery, by: SearchCaller): Promise<SearchReply> {
      const { keys, documents, index } = await meaningList(project, query, by);
      return { ...inGroups(keys, documents), index };
    },
    /** By both, merged by ranks. */
    async byBoth(project: Project, query: SearchQuery, by: SearchCaller): Promise<SearchReply> {
      const [lists, meaning] = await Promise.all([
        wordLists(project, query),
        meaningList(project, query, by),
      ]);
      const words = lists.map(({ rows }) => rows.map((json): [string, string] => [keyIn(json), json]));
      const documents = new Map([...words.flat(), ...meaning.documents]);
      const keys = fuseRanks([...words.map((list) => list.map(([key]) => key)), meaning.keys]);
      return { ...inGroups(keys.slice(0, query.limit), documents), index: meaning.index };
    },
  };
}

export type Search = ReturnType<typeof createSearch>;
