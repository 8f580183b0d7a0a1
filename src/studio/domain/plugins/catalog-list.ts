import type { CatalogItemReply, CatalogReply } from '../../../world/plugins/catalog/catalog.contract.ts';

export type CatalogItem = CatalogItemReply;
export type CatalogProblem = NonNullable<CatalogReply['problem']>;

export const SOURCES = ['official', 'community'] as const satisfies readonly CatalogItem['source'][];

/** Which half of the page of plugins is shown, and of which source. */
export interface PluginsView {
  show: 'installed' | 'catalog';
  source: CatalogItem['source'] | null;
}

export function pluginsViewIn(search: string): PluginsView {
  const query = new URLSearchParams(search);
  const source = SOURCES.find((each) => each === query.get('source')) ?? null;
  return query.get('show') === 'catalog' ? { show: 'catalog', source } : { show: 'installed', source: null };
}

export function pluginsSearchOf({ show, source }: PluginsView): string {
  if (show === 'installed') return '';
  return source === null ? '?show=catalog' : `?show=catalog&source=${source}`;
}

/** Those that have every word in what people read, of the source. */
export function fitting(
  items: readonly CatalogItem[],
  { text, source }: { text: string; source: CatalogItem['source'] | null },
): CatalogItem[] {
  const words = text.toLowerCase().split(/\s+/);
  return items.filter((item) => {
    const read = [item.id, item.name, item.author, item.description].join('\n').toLowerCase();
    return (source === null || item.source === source) && words.every((word) => read.includes(word));
  });
}

/** `again` for one whose files cannot be read. The last three need something else first, or nothing. */
export type Offer = 'install' | 'update' | 'again' | 'too_old' | 'not_allowed' | 'installed';

/** What an admin can do with an item. */
export function offerOf({ installed, has_update, is_compatible, is_allowed }: CatalogItem): Offer {
  const isBroken = installed?.state === 'broken';
  if (installed !== null && !has_update && !isBroken) return 'installed';
  if (!is_compatible) return 'too_old';
  if (!is_allowed) return 'not_allowed';
  if (installed === null) return 'install';
  return isBroken ? 'again' : 'update';
}

/** What can be updated, by the id of the plugin. */
export const updatesIn = (items: readonly CatalogItem[]): ReadonlyMap<string, CatalogItem> =>
  new Map(items.filter((item) => offerOf(item) === 'update').map((item) => [item.id, item]));
