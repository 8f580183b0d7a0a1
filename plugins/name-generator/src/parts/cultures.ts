export interface Culture {
  id: string;
  label: Readonly<Record<'en' | 'de', string>>;
  names: readonly string[];
}

const MOST_CULTURES = 50;
const MOST_NAMES = 1_000;

const listed = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((name) => name.replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '');

/** From lines such as `Hill clans: Brannoc, Tamsel`. Further lines with the same label add to it. */
export function readCultures(text: string): Culture[] {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const at = line.indexOf(':');
    const label = line.slice(0, Math.max(at, 0)).trim();
    if (at < 0 || label === '') continue;
    found.set(label, [...(found.get(label) ?? []), ...listed(line.slice(at + 1))]);
  }
  return [...found].slice(0, MOST_CULTURES).map(([label, names]) => ({
    id: label.toLowerCase(),
    label: { en: label, de: label },
    names: names.slice(0, MOST_NAMES),
  }));
}
