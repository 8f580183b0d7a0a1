import type { Source } from './collect.ts';
import { memberOf, type Part } from './json-part.ts';
import { quoted, type Report } from './report.ts';
import { lineIn } from './texts.ts';

const SURFACES = ['panel', 'widget', 'page', 'command', 'settings'] as const;
type Surface = (typeof SURFACES)[number];

const SYNONYMS = new Map(Object.entries<Surface>({ 'field-widget': 'widget', setting: 'settings' }));

/** The items of flat lists by their type. */
export type Surfaces = Readonly<Record<Surface, Source[]>>;

export function sortSurfaces(report: Report, lists: readonly Source[]): Surfaces {
  const sorted: Surfaces = { panel: [], widget: [], page: [], command: [], settings: [] };
  for (const { list, items } of lists) {
    const ofType = Map.groupBy(items, (item) => surfaceOf(report, item));
    for (const surface of SURFACES) sorted[surface].push({ list, items: ofType.get(surface) ?? [] });
  }
  for (const item of sorted.settings.flatMap(({ items }) => items)) {
    report.warn(
      item,
      'a surface for settings is left out: the form is made from the settings, so list these in settings_schema',
    );
  }
  return sorted;
}

function surfaceOf(report: Report, item: Part): Surface | undefined {
  const part = memberOf(item, 'type');
  const word = lineIn(report, item, 'type')?.toLowerCase().replaceAll('_', '-') ?? '';
  const surface = SURFACES.find((known) => known === word) ?? SYNONYMS.get(word);
  if (surface === undefined) {
    const fault = part === undefined ? 'without a type' : `of the type ${quoted(part.value)}`;
    report.warn(part ?? item, `a surface ${fault} is left out; known are ${SURFACES.join(', ')}`);
  }
  return surface;
}
