import { nameOf } from '../../text/paths.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { isConflictCopy } from './conflict-copy.ts';

type Layout = Pick<TemplateDefinition, 'entity_type' | 'folder_name' | 'file_prefix'>;

/** `Characters/john_doe`. */
export function entityFolder(template: Layout, id: string): string {
  return `${template.folder_name}/${id}`;
}

/** `Characters/john_doe/CH_john_doe.md`. */
export function entityFilePath(template: Layout, id: string): string {
  return `${entityFolder(template, id)}/${template.file_prefix}${id}.md`;
}

/** Directly in an entity's folder; with what its frontmatter says, if known. */
export interface MainFileCandidate {
  path: string;
  id?: unknown;
  entity_type?: unknown;
}

/** They accompany entities: a README, or a name that begins with `_`. */
export const isAsideName = (name: string): boolean => name.startsWith('_') || /^readme\b/i.test(name);

function rank(candidate: MainFileCandidate, layout: Layout, id: string): number {
  const name = nameOf(candidate.path);
  if (name === `${layout.file_prefix}${id}.md`) return 0;
  if (isAsideName(name)) return 4;
  if (isConflictCopy(name)) return 3;
  return candidate.id === id || candidate.entity_type === layout.entity_type ? 1 : 2;
}

/**
 * The file with the specified name, else the first whose frontmatter fits, else the first; conflict copies, READMEs and
 * names with `_` come last. Undefined for no candidates.
 */
export function mainFileOf<T extends MainFileCandidate>(
  candidates: readonly T[],
  layout: Layout,
  id: string,
): T | undefined {
  let best: T | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const candidateRank = rank(candidate, layout, id);
    const earlier = best !== undefined && candidateRank === bestRank && candidate.path < best.path;
    if (candidateRank < bestRank || earlier) {
      best = candidate;
      bestRank = candidateRank;
    }
  }
  return best;
}
