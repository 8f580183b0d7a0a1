import { digestOf } from '../../kit/crypto.ts';
import type { FileStore } from './files.ts';

export async function fileDigest(files: FileStore, path: string): Promise<string> {
  const file = await files.open(path);
  return (await digestOf(file.stream())).sha256;
}
