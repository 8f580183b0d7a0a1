const DIGITS = 8;
const PLAIN_TEXT = '.txt';

/**
 * Where own bytes are kept beside those of the cloud: the same name wherever the same bytes are in the same way. A copy
 * of a rule file or a skill is not to be one itself.
 */
export function copyPath(path: string, sha256: string, number: number): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const end = dot < 1 ? '' : name.slice(dot);
  const stem = path.slice(0, path.length - end.length);
  const again = number === 1 ? '' : ` ${number}`;
  return `${stem} (conflict ${sha256.slice(0, DIGITS)}${again})${end}${path.startsWith('_') ? PLAIN_TEXT : ''}`;
}
