import { entityFolder } from '../content/paths/index.ts';
import { readContent } from '../world/scan/index.ts';
import { folderNameOf } from '../world/texts/index.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import { type CliContext, CommandError, writeJson } from './context.ts';
import { projectIdOf, settings } from './project.ts';

/** Writes the exact bytes of an entity's file to standard output. */
export async function exportOne(
  context: CliContext,
  type: string,
  id: string,
  options: { project?: string; json?: boolean },
): Promise<void> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const template = folder.set.types.get(type);
  if (template === undefined)
    throw new CommandError(
      `there is no type '${type}': known are ${[...folder.set.types.keys()].join(', ')}`,
    );
  const found =
    findEntity(folder, entityFolder(template, id), id) ?? findEntity(folder, template.folder_name, id);
  if (found === undefined)
    throw new CommandError(`there is no ${type} '${id}' in ${folder.root}/${template.folder_name}`);
  const bytes = await folder.files.read(found.path);
  if (!options.json) return void context.out.write(bytes);
  const { path, checksum } = found;
  const content = Buffer.from(bytes).toString('utf8');
  writeJson(context, { entity_type: type, entity_id: id, path, file_checksum: checksum, content });
}

/** The main file of an entity at or below a folder; a file that cannot be read is identified by its folder's name. */
function findEntity({ scanner, set, largestText }: ContentFolder, under: string, id: string) {
  let found: { path: string; checksum: string } | undefined;
  for (const items of readContent({ scanner, set, largestText, under: [under], markdownOnly: true })) {
    for (const { record, state } of items) {
      const isMeant = state ? state.entity_id === id : record.problem !== null && record.entity_id === id;
      if (!isMeant || (found !== undefined && folderNameOf(record.path) !== id)) continue;
      found = { path: record.path, checksum: `sha256:${record.sha256}` };
    }
  }
  return found;
}
