import { type DocumentProblem, decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { Project } from '../records/index.ts';

/** The reason if its bytes are not text; undefined if there is no such file. */
export async function readFileText(
  project: Project,
  path: string,
): Promise<{ ok: true; text: string } | { ok: false; problem: DocumentProblem } | undefined> {
  if ((await project.files.stat(path)) === undefined) return undefined;
  return decodeUtf8(await project.files.read(path));
}
