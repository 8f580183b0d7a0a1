import { entityFolder } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { folderNameOf } from '../texts/index.ts';
import { folderOf } from './recycle-item.ts';

/** Where an entity's file lies before, between and after the two renames of a move. */
export interface MovePlaces {
  oldFolder: string;
  newFolder: string;
  /** The file before; once its folder has its new name; under its new name. */
  stages: readonly [string, string, string];
  /** Whether the folder goes, with all that is in it; else the file alone. */
  isWhole: boolean;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder gets the new id as its name, and so does the file where its name ends in the folder's. */
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
