import { classifyPath } from '../../../content/paths/index.ts';
import { parseTemplate, type TemplateDefinition } from '../../../content/template/index.ts';
import type { FileStore } from '../../../platform/files/files.ts';
import { DEFINITION_FILE_LIMIT, type Parsed, problemAt } from '../files/text-file.ts';
import { type DefinitionKind, type ReadDefinitions, readDefinitions } from '../registry/definition-kind.ts';

/** The last good state of a template. */
export interface TemplateFile {
  definition: TemplateDefinition;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
}

const FOLDERS = ['_Templates/Core', '_Templates/Standard', '_Templates/Custom'];

export function readTemplateText(path: string, text: string, checksum: string): Parsed<TemplateFile> {
  const parsed = parseTemplate({ path, text });
  return parsed.ok ? { file: { definition: parsed.template, text, checksum } } : parsed;
}

export const templateKind: DefinitionKind<TemplateFile> = {
  name: 'template',
  limit: DEFINITION_FILE_LIMIT,
  parse: readTemplateText,
  folders: FOLDERS,
  isOne: (path) => classifyPath(path, new Map()).role === 'template',
  // Markdown that is not an obvious note.
  isMisnamed: (name) => /\.md$/i.test(name) && !/^(?:[_.]|readme\b)/i.test(name),
  naming: 'the name of a template ends in _TEMPLATE.md',
  kept: 'its last good definition stays in force',
};

/** Reads all templates of a project. If there are none, all of `known` stays: a vanished folder removes no type. */
export async function readTemplateFiles(
  store: FileStore,
  known: ReadonlyMap<string, TemplateFile>,
): Promise<ReadDefinitions<TemplateFile>> {
  const read = await readDefinitions(store, templateKind, known);
  if (!read.isEmpty) return read;
  const reason = `there are no templates in ${FOLDERS.join(', ')}`;
  const kept =
    known.size > 0 ? `; the ${known.size} known ones stay in force` : '; put one there, or run init';
  return { ...read, files: known, problems: [...read.problems, problemAt('_Templates', reason + kept)] };
}
