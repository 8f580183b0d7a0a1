import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { type Layout, layoutPath } from '../../content/layout/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { createChecker } from '../../kit/http/validation.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { LayoutBody } from './layouts.contract.ts';

/** bytes */
export const LAYOUT_LIMIT = 256 * 1024;

const faultsOf = createChecker(LayoutBody);

/** A type's saved layout as its file has it. */
export interface LayoutFile {
  bytes: Uint8Array;
  checksum: string;
  /** Null where the file cannot be read as a layout. */
  layout: Layout | null;
  problem: string | null;
}

/** Reads the saved layout of a type; null where there is none. */
export async function readLayoutFile(files: FileStore, entityType: string): Promise<LayoutFile | null> {
  const path = layoutPath(entityType);
  const stat = await files.stat(path);
  if (stat === undefined) return null;
  if (stat.size > LAYOUT_LIMIT) {
    const problem = `${path} is larger than ${LAYOUT_LIMIT} bytes`;
    return { bytes: new Uint8Array(), checksum: '', layout: null, problem };
  }
  const bytes = await files.read(path).catch(ifGone);
  if (bytes === undefined) return null;
  const { layout, problem } = parse(bytes);
  return { bytes, checksum: checksumOf(bytes), layout, problem: problem && `${path}: ${problem}` };
}

function parse(bytes: Uint8Array): Pick<LayoutFile, 'layout' | 'problem'> {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { layout: null, problem: decoded.problem.reason };
  try {
    const value: unknown = JSON.parse(decoded.text);
    const [fault] = faultsOf(value) ?? [];
    if (fault === undefined) return { layout: value as Layout, problem: null };
    return { layout: null, problem: `${fault.field} ${fault.message}` };
  } catch (error) {
    return { layout: null, problem: messageOf(error) };
  }
}
