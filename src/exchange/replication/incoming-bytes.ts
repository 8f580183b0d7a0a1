import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sha256Hex, streamingSha256 } from '../../kit/crypto.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import type { FileContent } from '../../platform/files/files.ts';
import type { Assets } from '../../world/assets/index.ts';
import type { Project } from '../../world/records/index.ts';
import type { PushedFile } from './push.contract.ts';

/** Finds bytes in one of the caller's upload batches; resolves to their path on disk. */
export type SentBytes = (batchId: string, sha256: string) => Promise<string | undefined>;

export interface Incoming {
  sha256: string;
  size: number;
  content: FileContent;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A pushed file's bytes: inline, from an upload batch, or from an identical file here. 409 if missing. */
export async function incomingBytes(
  project: Project,
  pushed: PushedFile,
  { assets, sent }: { assets: Assets; sent: SentBytes },
): Promise<Incoming> {
  if (pushed.content !== undefined) return inline(pushed, pushed.content);
  const { sha256, batch_id: batch } = pushed;
  if (sha256 === undefined)
    throw invalid(`${pushed.path} has neither content nor sha256`, { code: 'no_content' });
  const place = batch === undefined ? undefined : await sent(batch, sha256);
  if (place !== undefined) {
    const { size } = await stat(place);
    return { sha256, size, content: checked(async () => createReadStream(place), pushed.path, sha256) };
  }
  const path = await assets.pathByHash(project, sha256);
  const known = path === undefined ? undefined : await project.files.stat(path);
  if (path !== undefined && known !== undefined) {
    const open = async () => (await project.files.open(path)).stream();
    return { sha256, size: known.size, content: checked(open, pushed.path, sha256) };
  }
  throw conflict(
    `The bytes of ${pushed.path} are not here: send them to a batch of POST /api/uploads/batches, then push it with its batch_id`,
    { code: 'missing_bytes' },
  );
}

/**
 * Throws at the end if the hash differs, so nothing is put in place. Opens the file on first read, so a push refused
 * earlier leaves none open.
 */
async function* checked(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  path: string,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const hash = streamingSha256();
  for await (const part of await open()) {
    hash.update(part);
    yield part;
  }
  if (hash.digest('hex') !== sha256)
    throw conflict(`The bytes of ${path} were changed while they were read: push it again`, {
      code: 'missing_bytes',
    });
}

function inline({ path, encoding, sha256 }: PushedFile, text: string): Incoming {
  if (encoding === 'base64' && !BASE64.test(text))
    throw invalid(`The content of ${path} is no base64`, { code: 'invalid_content' });
  const content = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  const actual = sha256Hex(content);
  if (sha256 === undefined || sha256 === actual) return { sha256: actual, size: content.length, content };
  throw invalid(`The content of ${path} does not have the sha256 that was sent: send it again`, {
    code: 'checksum_mismatch',
  });
}
