import { type AddCommand, CommandError, EXIT } from './context.ts';

interface ExportOptions {
  all?: boolean;
  to?: string;
  at?: string;
  project?: string;
  json?: boolean;
}

export const exportCommand: AddCommand = (program, context, done) => {
  program
    .command('export')
    .description(
      'Export files as they are, byte for byte: one entity to standard output, or everything to a folder',
    )
    .argument('[type]', 'the entity type')
    .argument('[id]', 'the entity')
    .option('--all', 'export the whole project, templates and assets included; deleted entities are left out')
    .option(
      '--at <time>',
      'export all entities as they were at a time, such as 2026-03-02T10:15:00Z, to --to',
    )
    .option('--to <dir>', 'with --all or --at: an empty or new folder')
    .option('--project <id>', 'the project to export from')
    .option('--json', 'print JSON')
    .action(async (type: string | undefined, id: string | undefined, options: ExportOptions) => {
      if (options.at !== undefined) {
        if (options.to === undefined || type !== undefined || options.all)
          throw new CommandError('--at takes --to <dir> and exports all entities: give nothing else');
        const { exportPast } = await import('./export-past.ts');
        await exportPast(context, options.at, options.to, options);
      } else if (options.all) {
        if (options.to === undefined)
          throw new CommandError('--all needs --to <dir>: where should the files go?');
        if (type !== undefined) throw new CommandError('give either --all or a type and an id');
        const { exportAll } = await import('./export-all.ts');
        await exportAll(context, options.to, options);
      } else {
        if (type === undefined || id === undefined)
          throw new CommandError(
            'name a type and an id, such as: canonry export character ada, or use --all --to <dir>',
          );
        if (options.to !== undefined)
          throw new CommandError('--to goes with --all or --at; one entity goes to standard output');
        const { exportOne } = await import('./export-one.ts');
        await exportOne(context, type, id, options);
      }
      done(EXIT.ok);
    });
};
