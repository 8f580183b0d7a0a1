import { collect, type Kind, type Source } from './collect.ts';
import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { idIn, titleIn, urlOf } from './parts.ts';
import { quoted, type Report } from './report.ts';
import { pathFault } from './safe-path.ts';
import { firstOf, iconIn, kindOf, lineIn, lineOf, pathOf } from './texts.ts';
import type { PluginPage } from './types.ts';

/** A line of the navigation: it leads to a page of the plugin, and may give that a name and an icon. */
interface NavEntry {
  part: Part;
  /** Ids or routes. */
  targets: readonly string[];
  label: string | null;
  icon: string | null;
}

/** An entry of the navigation with a url of its own is a page, unless there is one of its id. */
export function readPages(report: Report, sources: readonly Source[], nav: readonly Source[]): PluginPage[] {
  const entries = nav.flatMap(({ items }) => navEntries(report, items));
  const pages = collect(report, sources, kindOfPages(report, entries, MANIFEST_LIMITS.pages));
  const isNew = ({ part, targets }: NavEntry) =>
    urlOf(part) !== undefined && !pages.some(({ id }) => targets.includes(id));
  const added = entries.filter(isNew).map(({ part }) => part);
  const ofNav = nav.map(({ list, items }) => ({ list, items: items.filter((item) => added.includes(item)) }));
  const left = MANIFEST_LIMITS.pages - pages.length;
  const all = [...pages, ...collect(report, ofNav, kindOfPages(report, [], left))];
  for (const { part, targets } of entries) {
    if (added.includes(part) || all.some((page) => leadsTo(targets, page))) continue;
    report.warn(
      part,
      'this entry leads to no page of the plugin, and is left out: name the id or route of a page',
    );
  }
  return all;
}

const leadsTo = (targets: readonly string[], { id, route }: Pick<PluginPage, 'id' | 'route'>): boolean =>
  targets.includes(id) || targets.includes(route);

const kindOfPages = (report: Report, entries: readonly NavEntry[], most: number): Kind<PluginPage> => ({
  noun: 'page',
  most,
  read: (item) => readPage(report, item, entries),
  keysOf: ({ id, route }) => [id, `/${route}`],
});

function readPage(report: Report, item: Part, entries: readonly NavEntry[]): PluginPage | null {
  const id = idIn(report, item, 'page');
  if (id === null) return null;
  const route = routeOf(report, item) ?? id;
  const entry = entries.find(({ targets }) => leadsTo(targets, { id, route }));
  const url = urlOf(item);
  if (url === undefined)
    report.warn(
      item,
      `the page "${id}" has no url, and nothing to show: give the path of a page of the plugin`,
    );
  return {
    id,
    title: titleIn(report, item, id, entry?.label),
    route,
    icon: iconIn(report, item) ?? entry?.icon ?? null,
    url: pathOf(report, url, `the url of the page "${id}"`),
  };
}

/** Without slashes at its ends; null, with a warning, if it is no path. */
function routeOf(report: Report, item: Part): string | null {
  const part = memberOf(item, 'route');
  const route = withoutSlashes(lineOf(report, part) ?? '');
  const fault = route === '' ? null : pathFault(route);
  if (fault === null || part === undefined) return route || null;
  report.warn(part, `the route ${quoted(route)} cannot be used, and the id stands in for it: ${fault}`);
  return null;
}

const withoutSlashes = (route: string): string => route.replace(/^\/+/, '').replace(/\/+$/, '');

function navEntries(report: Report, items: readonly Part[]): NavEntry[] {
  return firstOf(report, items, MANIFEST_LIMITS.pages).flatMap((part) => {
    if (part.type !== 'object') {
      report.warn(part, `an entry of the navigation is an object, not ${kindOf(part)}; it is left out`);
      return [];
    }
    const targets = ['page', 'page_id', 'id', 'route'].flatMap((name) => lineIn(report, part, name) ?? []);
    const label = lineIn(report, part, 'label', 'title', 'name');
    return [{ part, targets: targets.map(withoutSlashes), label, icon: iconIn(report, part) }];
  });
}
