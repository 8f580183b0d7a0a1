const DIGITS = 8;
const PLAIN_TEXT = '.txt';

/**
 * Where the user's own bytes are kept beside the replica's. The hash makes every installation choose the same name. The
 * `.txt` keeps a copied rule file or skill from being loaded as one.
 */
export function copyPath(path: string, sha256: string, number: number): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const end = dot < 1 ? '' : name.slice(dot);
  const stem = path.slice(0, path.length - end.length);
  const again = number === 1 ? '' : ` ${number}`;
  return `${stem} (conflict ${sha256.slice(0, DIGITS)}${again})${end}${path.startsWith('_') ? PLAIN_TEXT : ''}`;
}
