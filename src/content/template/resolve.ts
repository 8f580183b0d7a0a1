import type { TemplateDefinition, TemplateProblem, TemplateSource } from './types.ts';

const PRECEDENCE: readonly TemplateSource[] = ['core', 'standard', 'custom'];

export interface ResolveProblem extends TemplateProblem {
  path: string;
}

export interface ResolvedTemplates {
  /** By entity type, in alphabetical order. */
  templates: Map<string, TemplateDefinition>;
  problems: ResolveProblem[];
}

function rankOf(template: TemplateDefinition): number {
  return PRECEDENCE.indexOf(template.source);
}

function byPrecedence(a: TemplateDefinition, b: TemplateDefinition): number {
  return rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1);
}

/**
 * One template per type: custom replaces standard replaces core, as a whole. If two of one folder claim a type, both are
 * reported and the last by path wins. Two types never share a folder: a core or standard type keeps it, among equals the
 * first in the alphabet; the other is left out and reported.
 */
export function resolveTemplates(parsed: readonly TemplateDefinition[]): ResolvedTemplates {
  const problems: ResolveProblem[] = [];
  const winners = new Map<string, TemplateDefinition>();
  for (const template of [...parsed].sort(byPrecedence)) {
    const earlier = winners.get(template.entity_type);
    if (earlier !== undefined && earlier.source === template.source) {
      const message = `${earlier.path} and ${template.path} both define "${template.entity_type}"; the second is used`;
      problems.push({ path: earlier.path, message, severity: 'error' });
    }
    winners.set(template.entity_type, template);
  }
  return { templates: withOwnFolders(winners, problems), problems };
}

function withOwnFolders(
  winners: ReadonlyMap<string, TemplateDefinition>,
  problems: ResolveProblem[],
): Map<string, TemplateDefinition> {
  const templates = new Map<string, TemplateDefinition>();
  const owners = new Map<string, TemplateDefinition>();
  const ranked = [...winners.values()].sort(
    (a, b) => rankOf(a) - rankOf(b) || (a.entity_type < b.entity_type ? -1 : 1),
  );
  for (const template of ranked) {
    const type = template.entity_type;
    // Common file systems ignore case.
    const folder = template.folder_name.toLowerCase();
    const owner = owners.get(folder);
    if (owner === undefined) {
      owners.set(folder, template);
      templates.set(type, template);
      continue;
    }
    const message = `folder ${template.folder_name} already belongs to "${owner.entity_type}" (${owner.path}); "${type}" is left out until its folder_name differs`;
    problems.push({ path: template.path, message, severity: 'error', field: 'folder_name' });
  }
  return new Map([...templates].sort(([a], [b]) => (a < b ? -1 : 1)));
}
