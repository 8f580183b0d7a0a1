import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zipBytes } from '../../world/exports/index.ts';
import type { PluginFiles } from './folder.ts';

/** The same files give the same bytes: in the order of their paths, without times. */
export async function zipOf(files: PluginFiles): Promise<Uint8Array<ArrayBuffer>> {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const sources = sorted.map(([path, content]) => ({
    path,
    size: content.length,
    modifiedMs: 0,
    stream: () => Readable.from([Buffer.from(content)]),
  }));
  return new Uint8Array(await buffer(zipBytes(Readable.from(sources))));
}
