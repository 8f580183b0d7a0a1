import { SKILL_FOLDERS } from '../../../content/skills/index.ts';
import { folderOf } from '../../../text/paths.ts';
import type { DefinitionProblem } from '../files/text-file.ts';
import type { DefinitionFiles } from '../registry/definition-kind.ts';
import type { SkillFile } from './skill-kind.ts';

export interface SkillSet {
  /** By path, including those that another folder's file replaces. */
  files: ReadonlyMap<string, SkillFile>;
  /** In force, by id. */
  byId: ReadonlyMap<string, SkillFile>;
  /** Files that cannot be read. */
  unreadable: readonly DefinitionProblem[];
  /** These and lesser faults. */
  problems: readonly DefinitionProblem[];
}

export function skillSetOf({ files, problems: unreadable }: DefinitionFiles<SkillFile>): SkillSet {
  const byId = new Map<string, SkillFile>();
  const problems = [...unreadable];
  for (const file of [...files.values()].sort(inOrder)) {
    const { skill_id } = file.skill;
    const earlier = byId.get(skill_id);
    if (earlier && placeOf(earlier) === placeOf(file)) {
      const reason = `the skill_id "${skill_id}" is taken by ${earlier.path}: this file is left out`;
      problems.push({ path: file.path, reason, line: null, column: null, severity: 'error' });
    } else byId.set(skill_id, file);
    for (const { message, line } of file.problems)
      problems.push({ path: file.path, reason: message, line, column: null, severity: 'warning' });
  }
  return { files, byId, unreadable, problems };
}

/** The position of the file's folder: a later folder replaces an earlier one. */
function placeOf({ path }: SkillFile): number {
  const folder = folderOf(path);
  const at = SKILL_FOLDERS.indexOf(folder);
  return at < 0 ? SKILL_FOLDERS.indexOf(folderOf(folder)) : at;
}

const inOrder = (one: SkillFile, other: SkillFile): number =>
  placeOf(one) - placeOf(other) || (one.path < other.path ? -1 : 1);
