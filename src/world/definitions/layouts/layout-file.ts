import { type Layout, layoutPath } from '../../../content/layout/index.ts';
import { messageOf } from '../../../kit/errors.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import type { FileStore } from '../../../platform/files/files.ts';
import { type FileKind, type Parsed, type PresentFile, readPresent } from '../files/text-file.ts';
import { LayoutBody } from './layouts.contract.ts';

/** bytes */
const LAYOUT_LIMIT = 256 * 1024;

const faultsOf = createChecker(LayoutBody);

export const layoutKind: FileKind<Layout> = { name: 'layout', limit: LAYOUT_LIMIT, parse };

function parse(_path: string, text: string): Parsed<Layout> {
  let reason: string;
  try {
    const value: unknown = JSON.parse(text);
    const [fault] = faultsOf(value) ?? [];
    if (fault === undefined) return { file: value as Layout };
    reason = `${fault.field} ${fault.message}`;
  } catch (error) {
    reason = messageOf(error);
  }
  return { problem: { reason, line: null, column: null } };
}

/** The saved layout of a type; null if there is none. */
export const readLayout = (files: FileStore, entityType: string): Promise<PresentFile<Layout> | null> =>
  readPresent(files, layoutPath(entityType), layoutKind);

/** Why a saved layout cannot be read; null if it can. */
export function layoutProblem({ path, checksum, read }: PresentFile<Layout>): string | null {
  if ('file' in read) return null;
  const isUnread = checksum === '';
  return isUnread ? `${path} is larger than ${LAYOUT_LIMIT} bytes` : `${path}: ${read.problem.reason}`;
}
