import { addressOf } from '../../../domain/places.ts';

/** The page of plugins, or of one; `search` with its `?`. */
export const pluginsAddress = (project: string, search = '', item?: string): string =>
  `${addressOf({ screen: 'page', project, page: 'plugins', ...(item !== undefined && { item }) })}${search}`;
