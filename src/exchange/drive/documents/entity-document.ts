import { readDocument, splitDocument } from '../../../content/frontmatter/index.ts';
import { escapedHtml } from '../../../kit/http/html.ts';
import { isMap, type JsonMap } from '../../../text/json.ts';
import { markdownHtml } from './markdown-html.ts';

/** A page for a word processor: the fields as a table, and the text under it. */
export function entityDocument(name: string, markdown: string): string {
  const read = readDocument(markdown);
  const { body, yaml } = read.ok ? { body: read.body, yaml: '' } : splitDocument(markdown);
  const fields = read.ok ? fieldTable(read.data) : unread(yaml);
  const title = escapedHtml(name);
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>
${fields}${markdownHtml(body)}
</body></html>
`;
}

/** Fields that cannot be read are not lost. */
const unread = (yaml: string): string => (yaml === '' ? '' : `<pre>${escapedHtml(yaml)}</pre>\n`);

function fieldTable(data: JsonMap): string {
  const rows = Object.entries(data).map(
    ([field, value]) => `<tr><th>${escapedHtml(field)}</th><td>${shown(value)}</td></tr>`,
  );
  return rows.length === 0 ? '' : `<table border="1">${rows.join('')}</table>\n`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return listed(value.map(shown));
  if (isMap(value))
    return listed(Object.entries(value).map(([key, item]) => `${escapedHtml(key)}: ${shown(item)}`));
  return escapedHtml(String(value)).replaceAll('\n', '<br>');
}

const listed = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
