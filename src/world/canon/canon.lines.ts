import { setImmediate as turn } from 'node:timers/promises';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { Evidence, FoundFinding } from './canon.run.ts';

export type PlacedEvidence = Omit<Evidence, 'path'> & { line: number | null };
export type PlacedFinding = Omit<FoundFinding, 'evidence'> & { evidence: PlacedEvidence[] };

/**
 * Says at which line of its file each side stands. `headsOf` resolves to the texts of files, bodies may be missing;
 * lines are as the texts are now, null in a file that is gone or cannot be read.
 */
export async function placed(
  findings: readonly FoundFinding[],
  headsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<PlacedFinding[]> {
  const paths = new Set(findings.flatMap(({ evidence }) => evidence.map(({ file }) => file)));
  const heads = paths.size === 0 ? new Map<string, string>() : await headsOf([...paths]);
  const documents = new Map<string, ReturnType<typeof readDocument>>();
  const lineOf = ({ file, path }: Evidence): number | null => {
    const document = documents.get(file) ?? readDocument(heads.get(file) ?? '');
    documents.set(file, document);
    return document.ok ? document.lineOf(path) : null;
  };
  const result: PlacedFinding[] = [];
  for (const finding of findings) {
    await turn();
    const evidence = finding.evidence.map((side) => {
      const { path: _, ...rest } = side;
      return { ...rest, line: lineOf(side) };
    });
    result.push({ ...finding, evidence });
  }
  return result;
}
