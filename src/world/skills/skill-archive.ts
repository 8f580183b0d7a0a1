import { decodeUtf8, readDocument } from '../../content/frontmatter/index.ts';
import {
  isMarkdownName,
  markdownName,
  newSkillPath,
  SKILL_MD,
  type Skill,
  skillFolder,
} from '../../content/skills/index.ts';
import { invalid, tooLarge } from '../../kit/errors.ts';
import { folderOf } from '../../text/paths.ts';
import { readArchive } from '../imports/index.ts';
import { LARGEST_SKILL_ARCHIVE } from './skill-files.contract.ts';
import { MOST_FILES } from './skill-folder.ts';
import { requireSkill } from './skill-text.ts';

export interface ImportedSkill {
  skill: Skill;
  /** Of the skill's own file. */
  path: string;
  text: string;
  /** Beside it, by whole paths. */
  files: readonly { path: string; content: Uint8Array }[];
}

const textOf = (bytes: Uint8Array): string => {
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  throw invalid(`The skill is no text in UTF-8: ${decoded.problem.reason}`, { code: 'invalid_skill' });
};

/** A single file: YAML by its name, else a `SKILL.md`. */
export function skillOfFile(filename: string, bytes: Uint8Array): ImportedSkill {
  const text = textOf(bytes);
  if (/\.ya?ml$/i.test(filename)) {
    const skill = requireSkill('_Skills/imported.yml', text);
    return { skill, text, path: newSkillPath(skill.skill_id), files: [] };
  }
  return { ...markdownSkill(text), files: [] };
}

function markdownSkill(text: string): { skill: Skill; text: string; path: string } {
  const skill = requireSkill(`_Skills/imported/${SKILL_MD}`, text);
  const document = readDocument(text);
  const name = document.ok ? document.data.name : '';
  const folder = typeof name === 'string' && isMarkdownName(name) ? name : markdownName(skill.skill_id);
  return { skill, text, path: `${skillFolder(folder)}/${SKILL_MD}` };
}

/** Reads a zip with one `SKILL.md`, at its root or in a folder, and what is in that folder. */
export async function skillOfArchive(
  path: string,
  hold: (bytes: number) => Promise<void>,
): Promise<ImportedSkill> {
  const { files, refused } = await readArchive(path, { hold, largestText: LARGEST_SKILL_ARCHIVE });
  const [wrong] = refused;
  if (wrong)
    throw invalid(`The archive was not imported: ${wrong.place}: ${wrong.reason}`, {
      code: 'invalid_archive',
    });
  const mains = files.filter((file) => file.path === SKILL_MD || file.path.endsWith(`/${SKILL_MD}`));
  const [main] = mains;
  if (main === undefined || mains.length > 1)
    throw invalid(`The archive has ${mains.length} files named ${SKILL_MD}: it must have one`, {
      code: 'invalid_archive',
    });
  const skill = markdownSkill(textOf(main.bytes));
  const root = folderOf(main.path);
  const inside = files.filter((file) => file !== main && (root === '' || file.path.startsWith(`${root}/`)));
  const bytes = inside.reduce((sum, file) => sum + file.bytes.length, main.bytes.length);
  if (inside.length > MOST_FILES || bytes > LARGEST_SKILL_ARCHIVE)
    throw tooLarge(
      `A skill may have ${MOST_FILES} files and ${LARGEST_SKILL_ARCHIVE} bytes beside its ${SKILL_MD}`,
    );
  const start = root === '' ? 0 : root.length + 1;
  const beside = inside.map((file) => ({
    path: `${folderOf(skill.path)}/${file.path.slice(start)}`,
    content: file.bytes,
  }));
  return { ...skill, files: beside };
}
