import { memberOf, type Part } from './json-part.ts';
import { quoted, type Report } from './report.ts';
import { iconIn, isColor, lineIn, lineOf } from './texts.ts';
import type { PluginManifest } from './types.ts';

type About = Pick<
  PluginManifest,
  'author' | 'license' | 'icon' | 'homepage' | 'category' | 'accent_color' | 'type'
>;

export const readAbout = (report: Report, root: Part): About => ({
  author: authorOf(report, root),
  license: lineIn(report, root, 'license'),
  icon: iconIn(report, root),
  homepage: homepageOf(report, root),
  category: lineIn(report, root, 'category'),
  accent_color: accentOf(report, root),
  type: lineIn(report, root, 'type'),
});

/** A name, or an object with one. */
function authorOf(report: Report, root: Part): string | null {
  const part = memberOf(root, 'author');
  return lineOf(report, part?.type === 'object' ? memberOf(part, 'name') : part);
}

function homepageOf(report: Report, root: Part): string | null {
  const part = memberOf(root, 'homepage');
  const address = lineOf(report, part);
  if (address === null || part === undefined) return null;
  if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) return address;
  report.warn(
    part,
    `the homepage ${quoted(address)} is left out: it must be an address with http:// or https://`,
  );
  return null;
}

function accentOf(report: Report, root: Part): string | null {
  const part = memberOf(root, 'accent_color');
  const color = lineOf(report, part);
  if (color === null || part === undefined || isColor(color)) return color;
  report.warn(
    part,
    `the accent_color ${quoted(color)} is left out: write it in hexadecimal digits, such as #2f6f4f`,
  );
  return null;
}
