import {
  idFromPath,
  isYamlSkill,
  markdownName,
  newSkillPath,
  skillMarkdown,
} from '../../content/skills/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { nameOf } from '../../text/paths.ts';
import {
  createDefinitionEditor,
  definitionsLock,
  type EditContext,
  type FileChange,
  type PresentFile,
  type ProjectSkills,
  readPresent,
  requireTag,
  ruleTexts,
  type SkillFile,
  type SkillSet,
  skillKind,
  type TemplateRegistry,
  unreadable,
} from '../definitions/index.ts';
import { binOfFile } from '../entities/index.ts';
import type { Mirror } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';
import { requireSkillId } from './registry.service.ts';
import type { ImportedSkill } from './skill-archive.ts';
import type { SkillFileReply, SkillFileSummaryReply, SkillFileWrite } from './skill-files.contract.ts';
import { filesBeside, isStandard, placeOfSkill } from './skill-folder.ts';
import { nextSkillText } from './skill-text.ts';

export interface SkillFilesOptions {
  registry: TemplateRegistry;
  projectSkills: ProjectSkills;
  mirror: Mirror;
  clock: Clock;
}

const HELP = 'its whole text as `content` with `overwrite: true`';

/** Where a skill's file is, even if it cannot be read. */
const pathOf = ({ byId, unreadable: broken }: SkillSet, skillId: string): string | undefined =>
  byId.get(skillId)?.path ?? broken.find(({ path }) => idFromPath(path) === skillId)?.path;

const missingFile = (skillId: string) =>
  notFound(`There is no file of the skill '${skillId}'`, { code: 'skill_not_found' });

/** Reads and changes the skill files of a project (spec 2 §2.3). */
export function createSkillFiles({ registry, projectSkills, mirror, clock }: SkillFilesOptions) {
  const save = createDefinitionEditor(registry, skillKind);

  /** Brings the rows of changed files up to date: the manifest, sync and other processes learn of them there. */
  const mirrored = (project: Project, paths: string[]) => mirror.sync(project, { kind: 'paths', paths });

  async function require(project: Project, skillId: string) {
    const skills = await projectSkills(project);
    const path = pathOf(skills, skillId);
    const present = path === undefined ? null : await readPresent(project.files, path, skillKind);
    if (present === null) throw missingFile(skillId);
    return { skills, present };
  }

  async function read(project: Project, skillId: string): Promise<SkillFileReply> {
    const { skills, present } = await require(project, skillId);
    return fileReply(skills, skillId, present, await filesBeside(project.files, present.path));
  }

  async function toBin(project: Project, path: string): Promise<void> {
    const place = placeOfSkill(path);
    await project.files.move(place, binOfFile(place));
  }

  return {
    read,

    async list(project: Project) {
      const { byId, problems } = await projectSkills(project);
      const skills = [...byId.values()].map(summaryOf);
      return { skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)), problems: [...problems] };
    },

    /** A new skill is made among the user's. */
    async update(
      project: Project,
      given: string,
      write: SkillFileWrite,
      { actor, ifMatch }: EditContext,
    ): Promise<void> {
      const skillId = requireSkillId(given);
      const path = pathOf(await projectSkills(project), skillId) ?? newSkillPath(skillId);
      const change: FileChange<SkillFile> = {
        ifMatch,
        refuse: (present, problem) =>
          write.overwrite === true && write.content !== undefined && present.isText
            ? undefined
            : unreadable(present, problem, HELP),
        next: (present) => nextSkillText({ path, skillId, present: present?.text ?? null }, write),
        keep: ({ text }) => ruleTexts.keep(project, path, text, isoTime(clock.now())),
      };
      if (await save(project, { path: () => path, change: () => change }, actor))
        await mirrored(project, [path]);
    },

    /** Resolves to the path. */
    async remove(project: Project, skillId: string, ifMatch: HeaderValue): Promise<string> {
      const path = await project.database.exclusive(definitionsLock(project), async () => {
        const { present } = await require(project, skillId);
        requireTag(ifMatch, present.checksum, 'skill file');
        await toBin(project, present.path);
        return present.path;
      });
      await registry.reload(project);
      await mirrored(project, [placeOfSkill(path)]);
      return path;
    },

    /** The skill's own file comes last: what a crash leaves before it is no skill. */
    async take(project: Project, { skill, path, text, files }: ImportedSkill, overwrite: boolean) {
      const former = await project.database.exclusive(definitionsLock(project), async () => {
        const known = pathOf(await projectSkills(project), skill.skill_id);
        const isTaken = known !== undefined && !isStandard(known);
        if (isTaken && !overwrite) throw taken(skill.skill_id, known);
        if (isTaken) await toBin(project, known);
        for (const file of files) await project.files.write(file.path, file.content, { ifAbsent: true });
        await project.files.write(path, text, { ifAbsent: true });
        return isTaken ? [placeOfSkill(known)] : [];
      });
      await registry.reload(project);
      await mirrored(project, [...former, placeOfSkill(path)]);
      return read(project, skill.skill_id);
    },

    /** As `SKILL.md`: its own text, or one made from YAML. 404 also for a file that never could be read. */
    async markdown(project: Project, skillId: string) {
      const { skills, present } = await require(project, skillId);
      const file = 'file' in present.read ? present.read.file : skills.byId.get(skillId);
      if (file === undefined) throw missingFile(skillId);
      const { path, text, skill } = file;
      return isYamlSkill(path)
        ? { path, skill_id: skillId, name: markdownName(skillId), content: skillMarkdown(skill) }
        : { path, skill_id: skillId, name: nameOf(placeOfSkill(path)), content: text };
    },
  };
}

export type SkillFiles = ReturnType<typeof createSkillFiles>;

function summaryOf({ path, checksum, skill }: SkillFile): SkillFileSummaryReply {
  const { prompts: _, rules: __, workflows: ___, parameters: ____, ...summary } = shown(skill);
  return { ...summary, path, checksum };
}

const shown = (skill: SkillFile['skill']) => ({
  ...skill,
  tags: [...skill.tags],
  capabilities: [...skill.capabilities],
  applies_to: [...skill.applies_to],
  rules: [...skill.rules],
  workflows: [...skill.workflows],
});

function fileReply(
  { byId, problems }: SkillSet,
  skillId: string,
  { path, checksum, text, read }: PresentFile<SkillFile>,
  files: SkillFileReply['files'],
): SkillFileReply {
  const file = 'file' in read ? read.file : byId.get(skillId);
  return {
    skill_id: skillId,
    path,
    checksum,
    format: isYamlSkill(path) ? 'yaml' : 'markdown',
    content: text,
    is_valid: 'file' in read,
    problems: 'file' in read ? problems.filter((problem) => problem.path === path) : [read.problem],
    files,
    skill: file ? shown(file.skill) : null,
  };
}

const taken = (skillId: string, path: string) =>
  conflict(
    `The skill '${skillId}' is in ${path}: send \`overwrite: true\` to move that file to the recycle bin`,
    {
      code: 'skill_exists',
    },
  );
