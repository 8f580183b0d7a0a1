import { labelOf } from '../template/index.ts';
import { memberOf, type Part } from './json-part.ts';
import { isPartId } from './names.ts';
import { quoted, type Report } from './report.ts';
import { kindOf, lineIn, pathOf } from './texts.ts';

/** Null, with a warning, unless the item is an object with an id. */
export function idIn(report: Report, item: Part, noun: string): string | null {
  if (item.type !== 'object') {
    report.warn(item, `a ${noun} is an object with an id, not ${kindOf(item)}; it is left out`);
    return null;
  }
  const part = memberOf(item, 'id');
  const { value }: { value?: unknown } = part ?? {};
  if (typeof value === 'string' && isPartId(value)) return value;
  const rule = 'up to 64 lower-case letters, digits, _ and -, with a letter or digit first';
  const fault = part === undefined ? 'has no id' : `has the id ${quoted(value)}, which cannot be used`;
  report.warn(part ?? item, `this ${noun} ${fault}, and is left out: an id has ${rule}`);
  return null;
}

/** Without one, what else is known, or words made of the id. */
export const titleIn = (report: Report, item: Part, id: string, standIn?: string | null): string =>
  lineIn(report, item, 'title', 'label', 'name') ?? standIn ?? labelOf(id);

export const urlOf = (item: Part): Part | undefined => memberOf(item, 'url', 'preview_url', 'artifact');

/** The page for a frame; null, with a warning, if there is none. */
export function shownUrl(report: Report, item: Part, what: string): string | null {
  const part = urlOf(item);
  if (part === undefined)
    report.warn(item, `${what} has no url, and is left out: give the path of a page of the plugin`);
  return pathOf(report, part, what);
}
