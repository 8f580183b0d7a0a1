const LONGEST_NAME = 100;

/** A client's name for itself, for people who review its changes. */
export function clientNameOf({ title, name }: { title?: unknown; name?: unknown } = {}): string {
  const known = [title, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof known === 'string' ? known.trim().slice(0, LONGEST_NAME) : 'an agent';
}
