/** Only of its base's path is anything used. */
const SOMEWHERE = 'http://plugin.invalid';

/**
 * The address of a route of a plugin's own guest, `/names?count=5`. Null for one that would lead anywhere else, such as by `..`. Which
 * world it is about is not the page's to say.
 */
export function customAddress(pluginId: string, path: string): string | null {
  const base = `/api/plugins/${encodeURIComponent(pluginId)}/custom/`;
  if (!path.startsWith('/')) return null;
  const url = URL.parse(`${SOMEWHERE}${base}${path.slice(1)}`);
  if (url === null || !url.pathname.startsWith(base) || url.pathname === base) return null;
  url.searchParams.delete('project_id');
  return `${url.pathname}${url.search}`;
}
