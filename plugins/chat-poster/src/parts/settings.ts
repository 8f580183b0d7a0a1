const KINDS = ['slack', 'discord', 'matrix', 'json'] as const;
export type Kind = (typeof KINDS)[number];

export interface Settings {
  /** Null while nobody has set one. */
  url: string | null;
  kind: Kind;
  world: string;
  /** Of which entries are told; empty for all. */
  types: ReadonlySet<string>;
  tellsOf: Readonly<Record<'created' | 'deleted', boolean>>;
  pauseMs: number;
  language: 'en' | 'de';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const SECOND_MS = 1_000;

/** An admin’s settings; a missing one has its default. */
export function readSettings(given: Readonly<Record<string, unknown>>): Settings {
  const types = textOf(given.types)
    .split(',')
    .map((type) => type.trim().toLowerCase());
  return {
    url: textOf(given.webhook_url) || null,
    kind: KINDS.find((kind) => kind === given.kind) ?? 'slack',
    world: textOf(given.world_name),
    types: new Set(types.filter((type) => type !== '')),
    tellsOf: { created: given.post_created !== false, deleted: given.post_deleted !== false },
    pauseMs: typeof given.pause_seconds === 'number' ? given.pause_seconds * SECOND_MS : 0,
    language: given.language === 'de' ? 'de' : 'en',
  };
}
