export interface JournalEntry {
  at: string;
  /** Who did it, or which way it went. */
  who: string;
  what: string;
  details: object;
}

/** What happened in one history, in order, for whoever asks why it did not end well. */
export function createJournal() {
  const entries: JournalEntry[] = [];
  return {
    note(who: string, what: string, details: object = {}): void {
      entries.push({ at: new Date().toISOString(), who, what, details });
    },
    lines: (): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  };
}

export type Journal = ReturnType<typeof createJournal>;
