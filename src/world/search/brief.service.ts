import { aliasesOf } from '../../content/entity/index.ts';
import { parseSearchQuery, type SearchPhrase, searchTokens } from '../../content/search-text.ts';
import { bestSnippet, type FieldSnippet, snippetOf } from '../../content/snippet.ts';
import { createPauses } from '../../kit/pauses.ts';
import { documentsOf, type Entities } from '../entities/index.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import { type NamedRow, namesOfRows } from './brief.store.ts';
import { fuseRanks } from './fuse-ranks.ts';
import type { SearchQuery } from './search.service.ts';

export interface BriefItem {
  type: string;
  id: string;
  name: string;
  status: string;
  field: string;
  snippet: FieldSnippet['text'];
  ranges: FieldSnippet['ranges'];
}

/** Names among which the exact ones are looked for: an index ranks a name below shorter texts. */
const NAMES_COMPARED = 1_000;

interface NameMatch {
  row: NamedRow;
  /** Lower for a better match. */
  rank: number;
  snippet: FieldSnippet;
}

/** Search for reading: where the words are instead of whole entities, names before texts. */
export function createBriefSearch({ entities }: { entities: Entities }) {
  const namesOf = (project: Project, rowIds: readonly number[]) =>
    project.database.read((db: RecordsDb) => namesOfRows(db, project, rowIds));

  async function byName(project: Project, query: SearchQuery, phrases: SearchPhrase[]): Promise<NameMatch[]> {
    const lists = await entities.searchIds(project, {
      phrases,
      entityTypes: query.types,
      limit: NAMES_COMPARED,
      inName: true,
    });
    const ids = fuseRanks(lists.map(({ rowIds }) => rowIds));
    const rows = await namesOf(project, ids);
    const wanted = searchTokens(query.q).join(' ');
    const pause = createPauses();
    const matches: NameMatch[] = [];
    for (const id of ids) {
      const row = rows.get(id);
      if (row) matches.push(nameMatch(row, wanted, phrases));
      await pause();
    }
    return matches.sort((one, other) => one.rank - other.rank).slice(0, query.limit);
  }

  async function byText(
    project: Project,
    rowIds: readonly number[],
    phrases: readonly SearchPhrase[],
  ): Promise<BriefItem[]> {
    const rows = await namesOf(project, rowIds);
    const items: BriefItem[] = [];
    const pause = createPauses();
    for (const id of rowIds) {
      const row = rows.get(id);
      const [json] = await project.database.read((db: RecordsDb) => documentsOf(db, [id]));
      if (row && json !== undefined) items.push(itemOf(row, bestSnippet(JSON.parse(json), phrases)));
      await pause();
    }
    return items;
  }

  return async (project: Project, query: SearchQuery): Promise<{ total: number; items: BriefItem[] }> => {
    const phrases = parseSearchQuery(query.q);
    const named = await byName(project, query, phrases);
    const lists = await entities.searchIds(project, {
      phrases,
      entityTypes: query.types,
      limit: query.limit * 2,
    });
    const shown = new Set(named.map(({ row }) => row.row_id));
    const others = fuseRanks(lists.map(({ rowIds }) => rowIds)).filter((id) => !shown.has(id));
    const texts = await byText(project, others.slice(0, query.limit - named.length), phrases);
    return {
      total: lists.reduce((sum, { total }) => sum + total, 0),
      items: [...named.map(({ row, snippet }) => itemOf(row, snippet)), ...texts],
    };
  };
}

export type BriefSearch = ReturnType<typeof createBriefSearch>;

const itemOf = (row: NamedRow, { field, text, ranges }: FieldSnippet): BriefItem => ({
  type: row.entity_type,
  id: row.entity_id,
  name: row.name,
  status: row.status,
  field,
  snippet: text,
  ranges,
});

function nameMatch(row: NamedRow, wanted: string, phrases: readonly SearchPhrase[]): NameMatch {
  const aliases = row.aliases === null ? [] : aliasesOf(JSON.parse(row.aliases));
  const names = [
    { field: 'name', text: row.name, rank: rankOf(row.name, wanted) },
    ...aliases.map((text) => ({ field: 'aliases', text, rank: rankOf(text, wanted) + BEHIND_NAMES })),
  ];
  const best = names.reduce((one, other) => (other.rank < one.rank ? other : one));
  const isWhole = best.rank < WORDS;
  const shown = isWhole
    ? best
    : (names.find(({ text }) => snippetOf(text, phrases).ranges.length > 0) ?? best);
  return { row, rank: best.rank, snippet: { field: shown.field, ...snippetOf(shown.text, phrases) } };
}

const WHOLE = 0;
const BEGINNING = 2;
const WORDS = 4;
/** Of equal matches, that of an alias comes after that of a name. */
const BEHIND_NAMES = 1;

function rankOf(name: string, wanted: string): number {
  const tokens = searchTokens(name).join(' ');
  if (tokens === wanted) return WHOLE;
  return tokens.startsWith(wanted) ? BEGINNING : WORDS;
}
