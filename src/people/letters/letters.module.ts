import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import { createLetters, type Letters } from './letters.service.ts';
import { letterMigrations } from './letters.tables.ts';

export interface LettersContext extends Pick<Base, 'database' | 'clock' | 'log'> {
  mailer: Mailer;
}

/** Mails that are stored with the change they tell of, and sent once it is committed. */
export const lettersModule = defineModule({
  name: 'letters',
  tables: letterMigrations,
  create({ database, mailer, clock, log }: LettersContext) {
    const { start, stop, ...letters } = createLetters({ database, mailer, clock, log: log.child('mail') });
    return { service: letters as Letters, start, stop };
  },
});
