import type { Book } from '../replica/words.ts';
import { wordsIn } from '../replicas/edits.ts';
import type { Journal } from '../replicas/journal.ts';
import type { EngineInstall } from './engine-install.ts';
import type { MemoryReplica } from './memory-replica.ts';

interface BackupParts {
  installs: readonly EngineInstall[];
  replica: MemoryReplica;
  book: Book;
  journal: Journal;
}

/** Each second call brings back the backup made by the one before. What the replica alone had since may be lost. */
export function createBackups({ installs, replica, book, journal }: BackupParts) {
  let backup: ReturnType<MemoryReplica['backup']> | null = null;
  const wordsThere = () => [...replica.tree().values()].flatMap(wordsIn);

  return (): void => {
    journal.note('replica', backup ? 'is brought back' : 'is backed up');
    if (backup === null) {
      backup = replica.backup();
      return;
    }
    const before = wordsThere();
    replica.bringBack(backup);
    backup = null;
    const here = installs.flatMap(({ disk }) => [...disk.tree().values(), ...disk.recycled()]);
    const safe = new Set([...wordsThere(), ...here.flatMap(wordsIn)]);
    // And whatever these were written over: nobody has that either.
    book.doubt(...[...book.accountedFor(before)].filter((word) => !safe.has(word)));
  };
}
