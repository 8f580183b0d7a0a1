import { folderOf, nameOf } from '../../text/paths.ts';

/** Holds what people say about the assets of a folder. */
export const SIDECAR_NAME = '_assets.yaml';

export interface Place {
  path: string;
  entity_type: string | null;
  entity_id: string | null;
}

/** The folder whose sidecar describes an asset: the entity's, else the asset's own; '' is the project's root. */
export function homeOf({ path, entity_type, entity_id }: Place): string {
  if (entity_type === null || entity_id === null) return folderOf(path);
  const end = path.indexOf('/', path.indexOf('/') + 1);
  return end < 0 ? path : path.slice(0, end);
}

const below = (home: string, name: string): string => (home === '' ? name : `${home}/${name}`);

export const sidecarPath = (home: string): string => below(home, SIDECAR_NAME);
export const homeOfSidecar = (path: string): string => folderOf(path);
export const isSidecar = (path: string): boolean => nameOf(path) === SIDECAR_NAME;

/** The path from the sidecar's folder. */
export const keyInHome = (home: string, path: string): string =>
  home === '' ? path : path.slice(home.length + 1);
export const pathInHome = below;

/** Category and subcategory by folders: `Characters/ada/images/portraits/a.png` → images, portraits. */
export function categoriesOf(place: Place): { category: string | null; subcategory: string | null } {
  const folders = place.path.split('/').slice(0, -1);
  const own = place.entity_id === null ? folders.slice(folders[0] === 'Assets' ? 1 : 0) : folders.slice(2);
  const [category = null, ...rest] = own;
  return { category, subcategory: rest.length === 0 ? null : rest.join('/') };
}

/** False if any part of the path is hidden or begins with `_`. */
export const isPublicPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && !/^[._]/.test(part)) && !/\.md$/i.test(path);
