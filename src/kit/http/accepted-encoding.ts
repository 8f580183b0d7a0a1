import type { IncomingHttpHeaders } from 'node:http';

/** Ways to compress a reply, the better one first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The best of the offered encodings that the caller takes; null if it takes none of them. */
export function acceptedEncoding(
  { 'accept-encoding': header = '' }: IncomingHttpHeaders,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  const weights = weightsIn(header);
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [first] = offered.filter((each) => weightOf(each) > 0).sort((a, b) => weightOf(b) - weightOf(a));
  return first ?? null;
}

/** `gzip;q=0.5, br` as weights by name. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}
