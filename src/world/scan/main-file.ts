import { decodeUtf8, readDocument } from '../../content/frontmatter/index.ts';
import { mainFileOf } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileScanner, FileStat } from '../../platform/files/files.ts';
import { ROW } from './protocol.ts';
import type { Comparison } from './replica.ts';

export interface Candidate {
  stat: FileStat;
  comparison: Comparison;
}

const isMain = ({ comparison }: Candidate): boolean => (comparison.flags & ROW.main) !== 0;

/** The main file of a folder if its name or an earlier scan decides it; undefined if the files must be read. */
export function knownMainFile(
  template: TemplateDefinition,
  folder: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  if (candidates.length === 1) return candidates[0];
  const id = folder.slice(folder.indexOf('/') + 1);
  const named = `${folder}/${template.file_prefix}${id}.md`;
  const specified = candidates.find(({ stat }) => stat.path === named);
  if (specified) return specified;
  const settled = candidates.every(({ comparison }) => comparison.known && comparison.same);
  const known = candidates.filter(isMain);
  return settled && known.length === 1 ? known[0] : undefined;
}

/** The main file of an entity's folder (src/world/entities/README.md). Reads candidates only if their names do not decide. */
export function pickMainFile(
  reader: Reader,
  template: TemplateDefinition,
  folder: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const main = knownMainFile(template, folder, candidates);
  if (main) return main;
  const id = folder.slice(folder.indexOf('/') + 1);
  const read = candidates.map((candidate) => ({
    candidate,
    path: candidate.stat.path,
    ...claimsOf(reader, candidate.stat),
  }));
  return mainFileOf(read, template, id)?.candidate;
}

interface Reader {
  scanner: Pick<FileScanner, 'readSync'>;
  largestText: number;
}

function claimsOf({ scanner, largestText }: Reader, stat: FileStat): { id?: unknown; entity_type?: unknown } {
  if (stat.size > largestText) return {};
  try {
    const decoded = decodeUtf8(scanner.readSync(stat.path));
    const read = decoded.ok ? readDocument(decoded.text) : decoded;
    return read.ok && 'data' in read ? { id: read.data.id, entity_type: read.data.entity_type } : {};
  } catch {
    return {};
  }
}
