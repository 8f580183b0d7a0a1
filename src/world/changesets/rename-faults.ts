import { readDocument } from '../../content/frontmatter/index.ts';
import type { HttpError } from '../../kit/errors.ts';
import { listFaultyFiles, type Project, type RecordsDb, unreadableFile } from '../records/index.ts';
import { readFileText } from './file-text.ts';

/** A file that blocks a rename; `line` counts from 1. */
export interface Fault {
  path: string;
  line: number;
  reason: string;
}

/** In a project with more broken files than this, a rename is the smaller problem. */
const MOST_BROKEN = 1_000;
const MOST_NAMED = 50;

/** Finds unreadable files that contain the id as a value or in a link: a rename would silently break them. */
export async function mentionsInBrokenFiles(
  project: Project,
  { old_id }: { old_id: string },
  known: readonly Fault[],
): Promise<Fault[]> {
  const named = new Set(known.map(({ path }) => path));
  const { files } = await project.database.read((db: RecordsDb) => listFaultyFiles(db, project, MOST_BROKEN));
  const faults: Fault[] = [];
  for (const { path } of files) {
    if (named.has(path)) continue;
    const read = await readFileText(project, path);
    if (!read?.ok || !mentions(read.text, old_id)) continue;
    const document = readDocument(read.text);
    if (!document.ok) faults.push({ path, line: document.problem.line, reason: document.problem.reason });
  }
  return faults;
}

const BEFORE = /(?:\[\[|[:,[-]\s?)["']?$/;
const AFTER = /^[\w-]/;

/** True for `[[id]]`, `[[type:id]]`, or the id as a value in a line of YAML. */
function mentions(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + id.length)) {
    const [before, after] = [
      text.slice(Math.max(0, at - 3), at),
      text.slice(at + id.length, at + id.length + 1),
    ];
    if (BEFORE.test(before) && !AFTER.test(after)) return true;
  }
  return false;
}

export function refuseFaults({ old_id }: { old_id: string }, faults: readonly Fault[]): HttpError {
  const [first] = faults;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  return unreadableFile(
    `${first?.path} refers to '${old_id}' and cannot be changed (line ${first?.line}: ${first?.reason})${others}. Fix it first; nothing was renamed`,
    faults.slice(0, MOST_NAMED),
  );
}
