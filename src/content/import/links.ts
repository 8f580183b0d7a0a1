import { proseOf } from '../references/prose.ts';

/** To another note or a file. */
export interface TextLink {
  kind: 'wiki' | 'markdown';
  /** `![[…]]` and `![…](…)` show their target. */
  embeds: boolean;
  /** Decoded: `Mira Vale`, `maps/harbour.png`. */
  target: string;
  /** `#Heading` with its sign; '' for none. */
  anchor: string;
  label: string | null;
  start: number;
  end: number;
}

const WIKI = /(\\|!)?\[\[([^[\]|#\\\r\n]*)(#[^[\]|\\\r\n]*)?(?:\\?\|([^[\]\r\n]*))?\]\]/g;
const MARKDOWN = /(\\|!)?\[([^[\]\r\n]*)\]\((?:<([^<>\r\n]+)>|([^\s()<>]+))\)/g;

/** In order, outside code and without web addresses. */
export function textLinksOf(text: string): TextLink[] {
  if (!text.includes('[')) return [];
  const links = [...proseOf(text)].flatMap(({ start, end }) => {
    const prose = text.slice(start, end);
    return [
      ...(prose.includes('[[') ? wikiLinks(prose, start) : []),
      ...(prose.includes('](') ? markdownLinks(prose, start) : []),
    ];
  });
  return links.sort((a, b) => a.start - b.start);
}

function wikiLinks(prose: string, offset: number): TextLink[] {
  return [...prose.matchAll(WIKI)].flatMap(
    ({ 0: whole, 1: sign, 2: target = '', 3: anchor = '', 4: label, index }) => {
      if (sign === '\\' || target.trim() === '') return [];
      const start = offset + index;
      const link = { kind: 'wiki' as const, embeds: sign === '!', target: target.trim(), anchor };
      return [{ ...link, label: label ?? null, start, end: start + whole.length }];
    },
  );
}

function markdownLinks(prose: string, offset: number): TextLink[] {
  return [...prose.matchAll(MARKDOWN)].flatMap(
    ({ 0: whole, 1: sign, 2: label = '', 3: angled, 4: plain, index }) => {
      const address = decoded(angled ?? plain ?? '');
      if (sign === '\\' || address === null || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)) return [];
      const hash = address.indexOf('#');
      const target = hash < 0 ? address : address.slice(0, hash);
      const anchor = hash < 0 ? '' : address.slice(hash);
      const start = offset + index;
      return [
        {
          kind: 'markdown' as const,
          embeds: sign === '!',
          target,
          anchor,
          label,
          start,
          end: start + whole.length,
        },
      ];
    },
  );
}

function decoded(address: string): string | null {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
}

/** Nothing but one link: `[[Mira Vale|the reader]]`. */
export function soleLink(value: string): TextLink | undefined {
  const text = value.trim();
  const [link] = wikiLinks(text, 0);
  return link !== undefined && link.start === 0 && link.end === text.length && !link.embeds
    ? link
    : undefined;
}
