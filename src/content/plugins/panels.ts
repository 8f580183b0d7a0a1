import { byId, collect, type Source } from './collect.ts';
import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { idIn, shownUrl, titleIn } from './parts.ts';
import { quoted, type Report } from './report.ts';
import { iconIn, lineOf, lineParts } from './texts.ts';
import { PANEL_LOCATIONS, type PanelLocation, type PluginPanel } from './types.ts';

export const readPanels = (report: Report, sources: readonly Source[]): PluginPanel[] =>
  collect(report, sources, {
    noun: 'panel',
    most: MANIFEST_LIMITS.panels,
    read: (item) => readPanel(report, item),
    keysOf: byId,
  });

function readPanel(report: Report, item: Part): PluginPanel | null {
  const id = idIn(report, item, 'panel');
  if (id === null) return null;
  const location = locationOf(report, item, id);
  const url = shownUrl(report, item, `the panel "${id}"`);
  const entity_types = entityTypesOf(report, item, id);
  if (location === null || url === null || entity_types === null) return null;
  return {
    id,
    title: titleIn(report, item, id),
    location,
    entity_types,
    url,
    icon: iconIn(report, item),
  };
}

function locationOf(report: Report, item: Part, id: string): PanelLocation | null {
  const part = memberOf(item, 'location', 'placement');
  const word = lineOf(report, part)
    ?.toLowerCase()
    .replaceAll(/[_.:\s]/g, '-');
  const location = PANEL_LOCATIONS.find((known) => known === word || known === `entity-${word}`);
  if (location !== undefined) return location;
  const fault = part === undefined ? 'no location' : `the location ${quoted(part.value)}, which is none`;
  report.warn(
    part ?? item,
    `the panel "${id}" has ${fault}, and is left out; known are ${PANEL_LOCATIONS.join(', ')}`,
  );
  return null;
}

const FOR_ALL: readonly string[] = ['*', 'all', 'any'];

/** Null, with a warning, if none of those named can be read: the panel would be shown everywhere. */
function entityTypesOf(report: Report, item: Part, id: string): string[] | null {
  const part = memberOf(item, 'entity_types');
  const types = lineParts(report, part, MANIFEST_LIMITS.entityTypes).map(({ line }) => line);
  if (types.some((type) => FOR_ALL.includes(type))) return [];
  if (types.length > 0 || part === undefined || (part.type === 'array' && part.children?.length === 0)) {
    return [...new Set(types)];
  }
  report.warn(part, `the panel "${id}" names no entity type that can be read, and is left out`);
  return null;
}
