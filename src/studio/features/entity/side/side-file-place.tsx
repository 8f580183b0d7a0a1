import { useFilePlace } from '../../../data/findings/use-file-place.ts';
import type { Finding } from '../../../domain/findings.ts';
import { FilePlace } from '../../../kit/ui/file-place.tsx';

/** Loaded when an entity's file cannot be read. */
export function SideFilePlace({ finding }: { finding: Finding }) {
  const place = useFilePlace(finding);
  return place && <FilePlace {...place} />;
}
