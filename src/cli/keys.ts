import { systemClock } from '../kit/clock.ts';
import { createSecretBox } from '../kit/secret-box.ts';
import { createSigningKeys } from '../people/signing-keys/index.ts';
import { type CliContext, CommandError } from './context.ts';
import { changeMigratedDatabase } from './database.ts';
import { accountsSettings } from './project.ts';

export function rotateKeys(context: CliContext): Promise<string> {
  const config = accountsSettings(context);
  if (config.encryptionKey.length === 0)
    throw new CommandError('The keys are stored encrypted: set the ENCRYPTION_KEY of the accounts service');
  const box = createSecretBox(config.encryptionKey);
  return changeMigratedDatabase(
    config,
    (database) => createSigningKeys({ database, box, clock: systemClock }).rotate(),
    'accounts',
  );
}
