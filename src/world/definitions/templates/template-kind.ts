import { classifyPath } from '../../../content/paths/index.ts';
import { parseTemplate, type TemplateDefinition } from '../../../content/template/index.ts';
import type { FileStore } from '../../../platform/files/files.ts';
import { DEFINITION_FILE_LIMIT, type Parsed, problemAt } from '../files/text-file.ts';
import { type DefinitionKind, type ReadDefinitions, readDefinitions } from '../registry/definition-kind.ts';

/** A template as it was read last without fault. */
export interface TemplateFile {
  definition: TemplateDefinition;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
}

const FOLDERS = ['_Templates/Core', '_Templates/Standard', '_Templates/Custom'];

/** The definition behind a template's text, or what is wrong with it. */
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
  // Markdown that no one would take for a note.
  isMisnamed: (name) => /\.md$/i.test(name) && !/^(?:[_.]|readme\b)/i.test(name),
  naming: 'the name of a template ends in _TEMPLATE.md',
  kept: 'its last good definition stays in force',
};

/** Reads all templates of a project. When there is none at all, all of `known` stays: a vanished folder takes no type away. */
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
