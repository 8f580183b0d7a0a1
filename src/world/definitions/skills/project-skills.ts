import { isSkillPath, SKILLS_FOLDER } from '../../../content/skills/index.ts';
import { type FileRow, findFilesBelow, type Project, type RecordsDb } from '../../records/index.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { SkillSet } from './skill-set.ts';

export type ProjectSkills = (project: Project) => Promise<SkillSet>;

/**
 * The skill files in force. No event tells a process of a file that another one changed: the mirrored rows do, so they are
 * compared, and the files are read again once for each state of the rows.
 */
export function createProjectSkills(registry: TemplateRegistry): ProjectSkills {
  const read = new WeakMap<Project, string>();

  return async (project) => {
    const { skills } = await registry.of(project);
    const rows = await project.database.read((db: RecordsDb) => findFilesBelow(db, project, SKILLS_FOLDER));
    const mirrored = rows.filter(({ path }) => isSkillPath(path));
    const print = printOf(mirrored);
    if (isMirrored(skills, mirrored) || read.get(project) === print) return skills;
    const { set } = await registry.reload(project);
    read.set(project, print);
    return set.skills;
  };
}

const printOf = (rows: readonly FileRow[]): string =>
  rows
    .map(({ path, sha256 }) => `${path} ${sha256}`)
    .sort()
    .join('\n');

const isMirrored = ({ files }: SkillSet, rows: readonly FileRow[]): boolean =>
  rows.length === files.size &&
  rows.every(({ path, sha256 }) => files.get(path)?.checksum === `sha256:${sha256}`);
