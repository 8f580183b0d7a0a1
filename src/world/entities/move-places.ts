import { entityFolder } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { nameOf } from '../../text/paths.ts';
import { folderNameOf } from '../texts/index.ts';
import { folderOf } from './recycle-item.ts';

/** The paths of an entity's file before, between and after the two renames of a move. */
export interface MovePlaces {
  oldFolder: string;
  newFolder: string;
  /** The old path; the path once the folder has its new name; the path with both names new. */
  stages: readonly [string, string, string];
  /** True if the folder moves with all its content, false for the file alone. */
  isWhole: boolean;
}

/** The folder gets the new id as its name, and so does the file if its name ends like the folder's. */
export function placesOfId(template: TemplateDefinition, path: string, toId: string): MovePlaces {
  const ending = `${folderNameOf(path)}.md`;
  const name = nameOf(path);
  const newName = name.endsWith(ending) ? `${name.slice(0, -ending.length)}${toId}.md` : name;
  return placesTo(path, `${entityFolder(template, toId)}/${newName}`, true);
}

export function placesTo(from: string, to: string, isWhole: boolean): MovePlaces {
  const [oldFolder, newFolder] = [folderOf(from), folderOf(to)];
  const goesAlong = isWhole && oldFolder !== newFolder;
  const between = goesAlong ? `${newFolder}/${nameOf(from)}` : from;
  return { oldFolder, newFolder, stages: [from, between, to], isWhole: goesAlong };
}
