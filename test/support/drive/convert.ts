const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** Of text, such as Markdown, which is kept as it is. */
export const htmlOf = (text: string): string =>
  `<html><body>${text
    .split('\n')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
    .join('')}</body></html>`;

/** The native form of an upload: HTML. */
export const importedHtml = (content: Buffer, mimeType: string): Buffer =>
  mimeType.startsWith('text/html') ? content : Buffer.from(htmlOf(content.toString()));

/** A native document in another format, in its simplest form. */
export function convert(html: Buffer, mimeType: string): Buffer {
  if (mimeType === 'text/html') return html;
  const isMarkdown = mimeType === 'text/markdown';
  const text = html
    .toString()
    .replace(/<(head|style|script)\b.*?<\/\1>/gsu, '')
    .replace(/<h([1-6])\b[^>]*>/g, (_, level) => (isMarkdown ? `${'#'.repeat(Number(level))} ` : ''))
    .replace(/<li\b[^>]*>/g, isMarkdown ? '* ' : '● ')
    .replace(/<\/(?:p|h[1-6]|li|div|tr)>|<br\s*\/?>/g, '\n')
    .replace(/<\/?(?:b|strong)\b[^>]*>/g, isMarkdown ? '**' : '')
    .replace(/<\/?(?:i|em)\b[^>]*>/g, isMarkdown ? '*' : '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\n$/u, '');
  // The real drive puts a byte order mark and Windows line ends into plain text.
  if (mimeType === 'text/plain') return Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`);
  return Buffer.from(text);
}
