import { readdirSync, readFileSync } from 'node:fs';
import { parseTemplate, type TemplateDefinition } from '../../src/content/template/index.ts';

const FOLDER = new URL('../../starter/_Templates/Standard/', import.meta.url);

let known: Map<string, TemplateDefinition> | undefined;

/** By type, read without a project. */
export function starterTemplates(): Map<string, TemplateDefinition> {
  known ??= readTemplates();
  return known;
}

function readTemplates(): Map<string, TemplateDefinition> {
  const templates = new Map<string, TemplateDefinition>();
  for (const name of readdirSync(FOLDER).sort()) {
    const parsed = parseTemplate({
      path: `_Templates/Standard/${name}`,
      text: readFileSync(new URL(name, FOLDER), 'utf8'),
    });
    if (parsed.ok) templates.set(parsed.template.entity_type, parsed.template);
  }
  return templates;
}
