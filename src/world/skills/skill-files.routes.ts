import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { SKILL_MD } from '../../content/skills/index.ts';
import { invalid } from '../../kit/errors.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { contextOf, tagged } from '../definitions/index.ts';
import { type ZipSource, zipBytes } from '../exports/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { skillOfArchive, skillOfFile } from './skill-archive.ts';
import {
  deleteSkillFile,
  exportSkillFile,
  getSkillFile,
  getSkillMarkdown,
  importSkillFile,
  listSkillFiles,
  updateSkillFile,
} from './skill-files.contract.ts';
import type { SkillFiles } from './skill-files.service.ts';
import { filesBeside, placeOfSkill } from './skill-folder.ts';

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

export function skillFileRoutes(projects: Projects, skillFiles: SkillFiles): Route[] {
  async function take(request: RouteRequest<typeof importSkillFile>) {
    const { file } = request.files;
    if (file === undefined) throw invalid("form field 'file' is required: send it as a file");
    const project = await requestProject(projects, request);
    await request.holdBytes(file.size);
    const bytes = await readFile(file.path);
    const skill = isZip(bytes)
      ? await skillOfArchive(file.path, request.holdBytes)
      : skillOfFile(file.filename, bytes);
    return skillFiles.take(project, skill, request.body.overwrite === true);
  }

  return [
    route(listSkillFiles, async (request) => skillFiles.list(await requestProject(projects, request))),
    route(getSkillFile, async (request) =>
      tagged(await skillFiles.read(await requestProject(projects, request), request.params.skill_id)),
    ),
    route(updateSkillFile, async (request) => {
      const project = await requestProject(projects, request);
      const { skill_id } = request.params;
      await skillFiles.update(project, skill_id, request.body, contextOf(request));
      return tagged(await skillFiles.read(project, skill_id));
    }),
    route(deleteSkillFile, async (request) => {
      const project = await requestProject(projects, request);
      const path = await skillFiles.remove(project, request.params.skill_id, request.headers['if-match']);
      return { message: `${path} was moved to the recycle bin` };
    }),
    route(importSkillFile, take),
    route(getSkillMarkdown, async (request) => {
      const project = await requestProject(projects, request);
      const { path: _, ...markdown } = await skillFiles.markdown(project, request.params.skill_id);
      return markdown;
    }),
    route(exportSkillFile, async (request) => {
      const project = await requestProject(projects, request);
      const { path, name, content } = await skillFiles.markdown(project, request.params.skill_id);
      const headers = { 'content-disposition': `attachment; filename="${name}.zip"` };
      const sources = archiveOf(project, path, { name, content });
      return new Reply(Readable.from(zipBytes(sources), { objectMode: false }), { headers });
    }),
  ];
}

/** A folder with the `SKILL.md` and the files beside it, each opened in its turn. */
async function* archiveOf(
  project: Project,
  path: string,
  { name, content }: { name: string; content: string },
): AsyncGenerator<ZipSource> {
  const text = Buffer.from(content);
  const stat = await project.files.stat(path);
  yield {
    path: `${name}/${SKILL_MD}`,
    size: text.length,
    modifiedMs: stat?.mtimeMs ?? 0,
    stream: () => Readable.from([text]),
  };
  for (const beside of await filesBeside(project.files, path)) {
    const file = await project.files.open(`${placeOfSkill(path)}/${beside.path}`);
    yield {
      path: `${name}/${beside.path}`,
      size: file.stat.size,
      modifiedMs: file.stat.mtimeMs,
      stream: () => file.stream(),
    };
  }
}
