/** Its header after the key, and the lines under it. */
export interface BlockText {
  header: string;
  lines: string[];
}

const UNSAFE =
  /[^\n\x20-\x7E\u00A1-\u1FFF\u2010-\u2027\u2030-\u205E\u2070-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;
const BLANK_LINE = /(?:^|\n) +(?:\n|$)/;

/** Literal or folded; undefined if only quotes can carry the string. */
export function blockText(
  value: string,
  folded: boolean,
  indent: number,
  digit: number,
): BlockText | undefined {
  const text = value.replace(/\n+$/, '');
  if (text.trim() === '' || UNSAFE.test(value) || BLANK_LINE.test(value)) return undefined;
  const trailing = value.length - text.length;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const content = text.split('\n');
  const canFold = folded && content.every((line) => line !== '' && !line.startsWith(' '));
  const rows = canFold ? content.flatMap((line, index) => (index === 0 ? [line] : ['', line])) : content;
  const indicator = /^\n* /.test(text) ? String(digit) : '';
  const pad = ' '.repeat(indent);
  const lines = rows.map((line) => (line === '' ? '' : pad + line));
  for (let extra = 1; extra < trailing; extra++) lines.push('');
  return { header: `${canFold ? '>' : '|'}${indicator}${chomp}`, lines };
}
