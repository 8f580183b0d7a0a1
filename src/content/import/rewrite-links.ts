import type { Attachments } from './attachments.ts';
import { type TextLink, textLinksOf } from './links.ts';
import { type Finder, isPath } from './targets.ts';
import type { LinkReport } from './types.ts';

export interface LinkContext {
  notePath: string;
  /** The line of the source at which the text begins. */
  firstLine: number;
  finder: Finder;
  attachments: Attachments;
  /** Returns the file's path in the entity's folder. */
  attach(path: string): string;
}

export interface RewrittenText {
  text: string;
  resolved: number;
  unresolved: LinkReport[];
}

/** Links to entities and to files in the entity's folder. What names nothing known stays. */
export function rewriteLinks(text: string, context: LinkContext): RewrittenText {
  const result: RewrittenText = { text: '', resolved: 0, unresolved: [] };
  const lines = lineCursor(text);
  let done = 0;
  for (const link of textLinksOf(text)) {
    if (link.start < done) continue;
    const stands = text.slice(link.start, link.end);
    const { line, inTable } = lines(link.start);
    const next = nextOf(link, stands, inTable, context);
    if ('reason' in next) {
      result.unresolved.push({ line: context.firstLine + line, text: stands, reason: next.reason });
      continue;
    }
    result.resolved += 1;
    result.text += text.slice(done, link.start) + next.text;
    done = link.end;
  }
  result.text += text.slice(done);
  return result;
}

/** For offsets in ascending order: the lines before each, and whether it stands in a row of a table. */
function lineCursor(text: string): (offset: number) => { line: number; inTable: boolean } {
  const isRow = (start: number) => {
    const first = /[ \t]*\|/y;
    first.lastIndex = start;
    return first.test(text);
  };
  let line = 0;
  let inTable = isRow(0);
  let feed = text.indexOf('\n');
  return (offset) => {
    while (feed >= 0 && feed < offset) {
      line += 1;
      const start = feed + 1;
      feed = text.indexOf('\n', start);
      if (feed < 0 || feed >= offset) inTable = isRow(start);
    }
    return { line, inTable };
  };
}

function nextOf(
  link: TextLink,
  stands: string,
  inTable: boolean,
  context: LinkContext,
): { text: string } | { reason: string } {
  const { attachments, notePath, finder } = context;
  const file = attachments.find(link.target, notePath, link.kind);
  if (file !== undefined) return { text: fileLink(link, context.attach(file)) };
  const found = link.kind === 'wiki' ? finder.find(link.target) : finder.findAddress(link.target);
  if (found === undefined) return { reason: whyNothing(link) };
  if (found === 'ambiguous') return { reason: 'several entities have this name' };
  const isOurs = link.target === found.entity_id || link.target === `${found.entity_type}:${found.entity_id}`;
  if (link.kind === 'wiki' && isOurs) return { text: stands };
  const bar = inTable ? '\\|' : '|';
  const label = link.label ?? link.target;
  const sign = link.embeds ? '!' : '';
  return { text: `${sign}[[${found.entity_type}:${found.entity_id}${link.anchor}${bar}${label}]]` };
}

function whyNothing({ kind, target }: TextLink): string {
  const isFile = /\.\w{1,5}$/.test(target) && !/\.md$/i.test(target);
  if (isFile) return 'no file of this name came along';
  return kind === 'markdown' || isPath(target)
    ? 'its path leads to nothing that came along'
    : 'nothing has this name';
}

/** As markdown. */
function fileLink({ embeds, anchor, label, target }: TextLink, place: string): string {
  const address = `${place}${anchor}`;
  const written = /[\s()<>]/.test(address) ? `<${address.replaceAll(/[<>]/g, encodeURIComponent)}>` : address;
  return `${embeds ? '!' : ''}[${label ?? target.slice(target.lastIndexOf('/') + 1)}](${written})`;
}
