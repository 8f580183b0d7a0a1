import { streamingSha256 } from '../../kit/crypto.ts';
import type { FileStore } from './files.ts';

export async function fileDigest(files: FileStore, path: string): Promise<string> {
  const hash = streamingSha256();
  const file = await files.open(path);
  for await (const piece of file.stream() as AsyncIterable<Uint8Array>) hash.update(piece);
  return hash.digest('hex');
}
