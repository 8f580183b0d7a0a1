import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSkill, type Skill } from '../content/skills/index.ts';
import { packageRoot } from './package-root.ts';

const SHIPPED_SKILLS_FOLDER = '_Skills/Standard';

/** The skills that Canonry brings along. The same files are copied into new content folders. */
export async function readShippedSkills(): Promise<Skill[]> {
  const folder = join(packageRoot(), 'starter', SHIPPED_SKILLS_FOLDER);
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => shippedSkill(name, await readFile(join(folder, name), 'utf8'))),
  );
}

function shippedSkill(name: string, text: string): Skill {
  const path = `${SHIPPED_SKILLS_FOLDER}/${name}`;
  const read = parseSkill({ path, text });
  if (read.ok) return read.skill;
  throw new Error(
    `${path} was damaged (line ${read.problem.line}: ${read.problem.reason}): install Canonry again`,
  );
}
