import { byId, collect, type Source } from './collect.ts';
import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { idIn, shownUrl, titleIn } from './parts.ts';
import { quoted, type Report } from './report.ts';
import { lineIn, lineOf, switchIn } from './texts.ts';
import type { PluginWidget } from './types.ts';

export const readWidgets = (report: Report, sources: readonly Source[]): PluginWidget[] =>
  collect(report, sources, {
    noun: 'widget',
    most: MANIFEST_LIMITS.widgets,
    read: (item) => readWidget(report, item),
    keysOf: byId,
  });

function readWidget(report: Report, item: Part): PluginWidget | null {
  const id = idIn(report, item, 'widget');
  if (id === null) return null;
  const url = shownUrl(report, item, `the widget "${id}"`);
  if (url === null) return null;
  return {
    id,
    label: titleIn(report, item, id),
    category: lineIn(report, item, 'category'),
    accepts_options: switchIn(report, item, 'accepts_options') ?? false,
    value_type: valueTypeOf(report, item),
    url,
  };
}

const VALUE_TYPES = ['string', 'number', 'boolean', 'array', 'object'] as const;

const SYNONYMS = new Map(
  Object.entries<(typeof VALUE_TYPES)[number]>({
    text: 'string',
    integer: 'number',
    float: 'number',
    bool: 'boolean',
    list: 'array',
  }),
);

function valueTypeOf(report: Report, item: Part): PluginWidget['value_type'] {
  const part = memberOf(item, 'value_type');
  const word = lineOf(report, part)?.toLowerCase();
  if (part === undefined || word === undefined) return null;
  const type = VALUE_TYPES.find((known) => known === word) ?? SYNONYMS.get(word);
  if (type === undefined) {
    report.warn(
      part,
      `${quoted(word)} is no type of values, and is left out; known are ${VALUE_TYPES.join(', ')}`,
    );
  }
  return type ?? null;
}
