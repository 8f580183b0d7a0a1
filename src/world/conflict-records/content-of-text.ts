import type { ComparedContent } from '../../content/compare.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { readEntityContent } from '../texts/index.ts';

export function contentOfText(template: TemplateDefinition, text: string): ComparedContent {
  const read = readEntityContent(template, { path: 'x/x.md', text });
  if (read === undefined) return { name: '', status: '', fields: {}, markdown_body: text };
  const { name, status, own_fields, markdown_body } = read;
  return { name, status, fields: own_fields, markdown_body };
}
