import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../kit/config/index.ts';
import { checkLedger } from '../../people/credits/index.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { type DoctorFinding, finding } from '../../world/doctor/index.ts';
import type { CliContext } from '../context.ts';
import { databaseExists, lookIntoDatabase } from '../database.ts';
import { accountsSettingsHere } from '../project.ts';

const ADVICE =
  'keep a copy of the database: entries are never edited, so find out what changed the rows, and make up for it with canonry credits correct';

/** Proves that every balance is the sum of its entries, where the ledger of credits is within reach. */
export async function examineLedger(context: CliContext, core: Config): Promise<DoctorFinding[]> {
  const config = accountsSettingsHere(context);
  if (config === null || !databaseExists(config)) return [];
  try {
    const problems = await lookIntoDatabase(config, checkLedger);
    return problems.map((problem) => finding('credits', problem, ADVICE));
  } catch (error) {
    const isBroken =
      error instanceof DatabaseError || (error instanceof Error && error.name === 'SqliteError');
    if (!isBroken) throw error;
    // Faults of the core's own database are said elsewhere.
    if (isDeepStrictEqual(config.databaseUrl, core.databaseUrl)) return [];
    const message = `the ledger of credits cannot be read: ${error.message}`;
    return [finding('credits', message, 'check ACCOUNTS_DATABASE_URL and its server')];
  }
}
