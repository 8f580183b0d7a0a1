import { setImmediate as turn } from 'node:timers/promises';
import { createLines } from '../../content/findings/index.ts';
import type { Evidence, FoundFinding } from './canon.run.ts';

export type PlacedEvidence = Omit<Evidence, 'path'> & { line: number | null };
export type PlacedFinding = Omit<FoundFinding, 'evidence'> & { evidence: PlacedEvidence[] };

/** Adds the line of each side in its file; null if the file is gone or unreadable. `headsOf` resolves to texts with or without bodies. */
export async function placed(
  findings: readonly FoundFinding[],
  headsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<PlacedFinding[]> {
  const paths = new Set(findings.flatMap(({ evidence }) => evidence.map(({ file }) => file)));
  const heads = paths.size === 0 ? new Map<string, string>() : await headsOf([...paths]);
  const lineOf = createLines((file: string) => heads.get(file));
  const result: PlacedFinding[] = [];
  for (const finding of findings) {
    await turn();
    const evidence = finding.evidence.map(({ path, ...side }) => ({
      ...side,
      line: lineOf(side.file, path),
    }));
    result.push({ ...finding, evidence });
  }
  return result;
}
