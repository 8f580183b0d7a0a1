import { coreMigrations } from '../surfaces/core-modules.ts';
import { type CliContext, EXIT, type ExitCode, writeJson, writeLine } from './context.ts';
import { changeDatabase, databaseExists, lookIntoDatabase } from './database.ts';
import { settings } from './project.ts';
import { count } from './terminal.ts';

interface Output {
  json?: boolean;
}

export async function migrate(context: CliContext, { json }: Output): Promise<void> {
  const report = await changeDatabase(settings(context), (database) => database.migrate(coreMigrations));
  if (json) return writeJson(context, report);
  if (report.backup !== null) writeLine(context, `Copied the database to ${report.backup}`);
  for (const name of report.applied) writeLine(context, `Applied ${name}`);
  writeLine(
    context,
    report.applied.length === 0
      ? 'The tables are up to date.'
      : `Done: ${count(report.applied.length, 'change')}.`,
  );
}

export async function migrationStatus(context: CliContext, { json }: Output): Promise<ExitCode> {
  const config = settings(context);
  const pending = databaseExists(config)
    ? await lookIntoDatabase(config, (database) => database.pending(coreMigrations))
    : coreMigrations.map(({ name }) => name);
  const applied = coreMigrations.map(({ name }) => name).filter((name) => !pending.includes(name));
  if (json) writeJson(context, { applied, pending });
  else {
    for (const name of applied) writeLine(context, `applied  ${name}`);
    for (const name of pending) writeLine(context, `pending  ${name}`);
  }
  return pending.length === 0 ? EXIT.ok : EXIT.findings;
}
