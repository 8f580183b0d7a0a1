import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { PluginManifest } from '../../../content/plugins/index.ts';
import { streamingSha256 } from '../../../kit/crypto.ts';
import { badGateway } from '../../../kit/errors.ts';
import type { CatalogEntry } from './catalog-entry.ts';

/** Writes an archive to a new file, no byte more than the entry says. 502 if it is not the one that the entry means. */
export async function saveArchive(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
  { size, sha256 }: CatalogEntry,
): Promise<void> {
  const digest = streamingSha256();
  let came = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      came += chunk.length;
      if (came > size) throw mismatch(`it is larger than the ${size} bytes that the catalog says`);
      digest.update(chunk);
      yield chunk;
    }
  }
  await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (came < size) throw mismatch(`it has ${came} bytes, but the catalog says ${size}`);
  if (digest.digest('hex') !== sha256) throw mismatch('its SHA-256 is not the one that the catalog says');
}

/** 502 for a plugin that is not what people chose in the catalog. */
export function requireAsListed(entry: CatalogEntry, manifest: PluginManifest): void {
  for (const name of ['id', 'version', 'trust_tier'] as const)
    if (manifest[name] !== entry[name])
      throw mismatch(`its ${name} is '${manifest[name]}', but the catalog says '${entry[name]}'`);
  const more = manifest.permissions.filter((permission) => !entry.permissions.includes(permission));
  if (more.length > 0) throw mismatch(`it wants ${more.join(', ')}, which the catalog does not say`);
}

const mismatch = (fault: string) =>
  badGateway(`The archive is not the one in the catalog: ${fault}`, { code: 'archive_mismatch' });
