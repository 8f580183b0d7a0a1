import { frameAddress, type Surface } from '../../../domain/plugins/plugin-list.ts';

export interface FrameSource {
  src: string;
  sandbox: string;
  /** Of the page's messages; `null` as text for a page that has none. */
  origin: string;
  /** To which messages for the page may go. */
  target: string;
}

const WITHOUT_ORIGIN = 'allow-scripts allow-forms';

/**
 * Where a page comes from, and what it may do. It gets an origin only where that is its plugin's and not the one of the
 * Studio, since it could use all of the Studio there.
 */
export function frameSource(
  { plugin, url }: Surface,
  query: { entity_type: string | null; entity_id: string | null; theme: string },
): FrameSource {
  const src = frameAddress(url, query, location.href);
  const { origin } = new URL(src);
  const isOwn = plugin.origin !== null && origin === plugin.origin && origin !== location.origin;
  if (!isOwn) return { src, sandbox: WITHOUT_ORIGIN, origin: 'null', target: '*' };
  return { src, sandbox: `${WITHOUT_ORIGIN} allow-same-origin`, origin, target: origin };
}
