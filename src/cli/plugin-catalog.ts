import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSafePath } from '../content/plugins/index.ts';
import { streamingSha256 } from '../kit/crypto.ts';
import { newPrivateKey, privateKeyIn, publicBytesOf, signBytes } from '../kit/ed25519.ts';
import { messageOf } from '../kit/errors.ts';
import { type CatalogIndex, readCatalogIndex, SIGNATURE_ENDING } from '../world/plugins/index.ts';
import { type CliContext, CommandError, writeJson, writeLine } from './context.ts';
import { typedPath } from './project.ts';
import { count } from './terminal.ts';

interface ShowOptions {
  json?: boolean;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export async function showKeys(context: CliContext, file: string, { json }: ShowOptions): Promise<void> {
  const path = typedPath(context, file);
  const isNew = await writeFile(path, newPrivateKey(), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw new CommandError(`The key cannot be written: ${error.message}`, { cause: error });
    },
  );
  const publicKey = base64(publicBytesOf(await readKey(path)));
  if (json) return writeJson(context, { file: path, new: isNew, public_key: publicKey });
  if (isNew) writeLine(context, `A new private key is in ${path}: keep it, and keep it secret.`);
  writeLine(context, `PLUGIN_CATALOG_KEY=${publicKey}`);
}

export async function signCatalog(
  context: CliContext,
  file: string,
  { key, json }: ShowOptions & { key: string },
): Promise<void> {
  const path = typedPath(context, file);
  const privateKey = await readKey(typedPath(context, key));
  const bytes = await readFile(path).catch(unreadable('The index'));
  const index = indexIn(bytes);
  await requireArchives(dirname(path), index);
  const signature = `${path}${SIGNATURE_ENDING}`;
  await writeFile(signature, `${base64(signBytes(privateKey, bytes))}\n`);
  const publicKey = base64(publicBytesOf(privateKey));
  const { sequence, entries } = index;
  if (json) writeJson(context, { signature, sequence, items: entries.size, public_key: publicKey });
  else
    writeLine(
      context,
      `Signed ${count(entries.size, 'plugin')} as sequence ${sequence} in ${signature}. Whoever installs from it needs PLUGIN_CATALOG_KEY=${publicKey}`,
    );
}

function indexIn(bytes: Uint8Array): CatalogIndex {
  try {
    return readCatalogIndex(bytes);
  } catch (error) {
    throw new CommandError(messageOf(error), { cause: error });
  }
}

async function readKey(path: string) {
  const key = privateKeyIn(await readFile(path, 'utf8').catch(unreadable('The key')));
  if (key !== null) return key;
  throw new CommandError(
    `${path} has no private Ed25519 key in PEM: make one with canonry plugin catalog keys <file>`,
  );
}

const unreadable =
  (what: string) =>
  (error: unknown): never => {
    throw new CommandError(`${what} cannot be read: ${messageOf(error)}`, { cause: error });
  };

/** Those at other addresses are for their readers to check. */
async function requireArchives(folder: string, { entries }: CatalogIndex): Promise<void> {
  for (const { id, url, size, sha256 } of entries.values()) {
    if (!isSafePath(url)) continue;
    const path = join(folder, url);
    const found = await stat(path).catch(unreadable(`The archive of ${id}`));
    if (found.size !== size)
      throw new CommandError(`${path} has ${found.size} bytes: write "size": ${found.size}`);
    const digest = streamingSha256();
    for await (const chunk of createReadStream(path)) digest.update(chunk);
    const hash = digest.digest('hex');
    if (hash !== sha256) throw new CommandError(`${path} has another hash: write "sha256": "${hash}"`);
  }
}
