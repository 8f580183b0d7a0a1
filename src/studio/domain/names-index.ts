import { foldName, lettersIn, type MatchRange, matchRanges, scoreName } from './name-score.ts';
import type { NamedEntity } from './named-entity.ts';
import { findNames, type KnownNames, knownNames, type NameInText } from './names-in-text.ts';

/** Reply of `GET /api/names`: columns, `t` and `gone` by the place in `types`. */
export interface NamesReply {
  types: readonly string[];
  t: readonly number[];
  id: readonly string[];
  name: readonly string[];
  aliases: readonly (readonly string[] | null)[];
  status: readonly (string | null)[];
  gone: readonly { t: number; id: string }[];
  cursor: string;
  /** True where these are all names, false for what changed since the cursor that was sent. */
  full: boolean;
}

export interface NameMatch extends NamedEntity {
  /** The alias that fits better than the name. */
  alias: string | null;
  /** In the alias if there is one, else in the name. */
  ranges: MatchRange[];
}

export interface NameQuery {
  types?: readonly string[];
  limit: number;
}

interface Row {
  entity: NamedEntity;
  /** The name and the aliases. */
  texts: readonly { folded: string; letters: number }[];
}

interface Hit {
  row: Row;
  score: number;
  text: number;
  /** 0 is the most recent. */
  recency: number;
}

const keyOf = (type: string, id: string): string => `${type}:${id}`;

/** An alias counts a little less than a name that fits as well. */
const ALIAS_COST = 50;

/** All names of a project in memory, for search at each key. */
export class NamesIndex {
  private rows = new Map<string, Row>();
  private known: KnownNames | null = null;
  private byId: Map<string, NamedEntity[]> | null = null;
  private readonly recent: string[];
  private readonly mostRecent: number;

  constructor(recent: readonly string[] = [], mostRecent = 50) {
    this.recent = [...recent];
    this.mostRecent = mostRecent;
  }

  get size(): number {
    return this.rows.size;
  }

  apply(reply: NamesReply): void {
    this.known = null;
    this.byId = null;
    if (reply.full) this.rows = new Map();
    for (const { t, id } of reply.gone) this.rows.delete(keyOf(reply.types[t] ?? '', id));
    for (const [index, id] of reply.id.entries()) {
      const type = reply.types[reply.t[index] ?? -1];
      const name = reply.name[index];
      if (type === undefined || name === undefined) continue;
      const aliases = reply.aliases[index] ?? [];
      const texts = [name, ...aliases]
        .map(foldName)
        .map((folded) => ({ folded, letters: lettersIn(folded) }));
      const entity = { type, id, name, aliases, status: reply.status[index] ?? null };
      this.rows.set(keyOf(type, id), { entity, texts });
    }
  }

  /** All names as one reply, for the browser's store. */
  all(cursor: string): NamesReply {
    const entities = [...this.rows.values()].map(({ entity }) => entity);
    const types = [...new Set(entities.map(({ type }) => type))];
    const places = new Map(types.map((type, index) => [type, index]));
    return {
      types,
      t: entities.map(({ type }) => places.get(type) ?? 0),
      id: entities.map(({ id }) => id),
      name: entities.map(({ name }) => name),
      aliases: entities.map(({ aliases }) => (aliases.length === 0 ? null : aliases)),
      status: entities.map(({ status }) => status),
      gone: [],
      cursor,
      full: true,
    };
  }

  /** The number of entities by type. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { entity } of this.rows.values()) counts.set(entity.type, (counts.get(entity.type) ?? 0) + 1);
    return counts;
  }

  /** Without a type: the one entity of that id over all types. */
  find(type: string | undefined, id: string): NamedEntity | undefined {
    if (type !== undefined) return this.rows.get(keyOf(type, id))?.entity;
    this.byId ??= Map.groupBy(
      [...this.rows.values()].map(({ entity }) => entity),
      (entity) => entity.id,
    );
    const found = this.byId.get(id) ?? [];
    return found.length === 1 ? found[0] : undefined;
  }

  /** Names in a text, as whole words; those of several entities are left out. */
  findIn(text: string): NameInText[] {
    this.known ??= knownNames([...this.rows.values()].map(({ entity }) => entity));
    return findNames(text, this.known);
  }

  /** The entity was opened: on ties it comes first. */
  touch(type: string, id: string): readonly string[] {
    const key = keyOf(type, id);
    const at = this.recent.indexOf(key);
    if (at >= 0) this.recent.splice(at, 1);
    this.recent.unshift(key);
    this.recent.length = Math.min(this.recent.length, this.mostRecent);
    return [...this.recent];
  }

  /** Best first. Without a text: what was opened last. */
  search(text: string, { types, limit }: NameQuery): NameMatch[] {
    const query = foldName(text.trim());
    const isWanted = types ? (row: Row) => types.includes(row.entity.type) : () => true;
    if (query === '') return this.opened(isWanted).slice(0, limit);
    const recency = new Map(this.recent.map((key, index) => [this.rows.get(key), index]));
    const letters = lettersIn(query);
    const best: Hit[] = [];
    for (const row of this.rows.values()) {
      const hit = isWanted(row) ? hitOf(row, query, letters) : undefined;
      if (hit) keepBest(best, { ...hit, recency: recency.get(row) ?? this.mostRecent }, limit);
    }
    return best.map(({ row, text: place }) => matchOf(row, place, text.trim()));
  }

  private opened(isWanted: (row: Row) => boolean): NameMatch[] {
    return this.recent
      .flatMap((key) => this.rows.get(key) ?? [])
      .filter(isWanted)
      .map(({ entity }) => ({ ...entity, alias: null, ranges: [] }));
  }
}

function hitOf(row: Row, query: string, letters: number): Omit<Hit, 'recency'> | undefined {
  let [score, text] = [0, 0];
  for (let index = 0; index < row.texts.length; index += 1) {
    const each = row.texts[index];
    if (!each || (each.letters & letters) !== letters) continue;
    const found = scoreName(query, each.folded) - (index === 0 ? 0 : ALIAS_COST);
    if (found > score) [score, text] = [found, index];
  }
  return score > 0 ? { row, score, text } : undefined;
}

function keepBest(best: Hit[], hit: Hit, limit: number): void {
  const last = best[limit - 1];
  if (last && compareHits(hit, last) >= 0) return;
  let at = best.length;
  for (let before = best[at - 1]; before && compareHits(hit, before) < 0; before = best[at - 1]) at -= 1;
  best.splice(at, 0, hit);
  best.length = Math.min(best.length, limit);
}

/** Shorter names are fitted by more of the query. */
const compareHits = (one: Hit, other: Hit): number =>
  other.score - one.score ||
  one.recency - other.recency ||
  one.row.entity.name.length - other.row.entity.name.length ||
  compareTexts(one.row.entity.name, other.row.entity.name) ||
  compareTexts(
    keyOf(one.row.entity.type, one.row.entity.id),
    keyOf(other.row.entity.type, other.row.entity.id),
  );

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function matchOf({ entity }: Row, place: number, query: string): NameMatch {
  const alias = place === 0 ? null : (entity.aliases[place - 1] ?? null);
  return { ...entity, alias, ranges: matchRanges(query, alias ?? entity.name) };
}
