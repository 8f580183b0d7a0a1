export interface JournalEntry {
  at: string;
  /** Or which way the message went. */
  who: string;
  what: string;
  details: object;
}

/** The events of one history, in order, to explain why it did not end well. */
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
