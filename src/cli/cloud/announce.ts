import { type CliContext, writeJson, writeLine } from '../context.ts';
import { columns } from '../terminal.ts';
import type { CloudSettings } from './services.ts';
import type { Supervised } from './supervised.ts';

export interface CloudOptions {
  /** Print one JSON document and nothing else. */
  json: boolean;
}

/** Prints the addresses and folders, and what to do next. */
export function announce(
  context: CliContext,
  { edge, dataDir, contentDir, settingsFile }: CloudSettings & { settingsFile: string },
  processes: readonly Supervised[],
  { json }: CloudOptions,
): void {
  const shown = processes.map((process) => ({
    name: process.job.name,
    address: process.job.address,
    pid: process.pid(),
  }));
  if (json) {
    writeJson(context, {
      listening: edge,
      pid: process.pid,
      data_dir: dataDir,
      content_dir: contentDir,
      settings_file: settingsFile,
      processes: shown,
    });
    return;
  }
  writeLine(context, `listening on ${edge}`);
  const rows = shown.map(({ name, address, pid }) => [`  ${name}`, address, `pid ${pid}`]);
  for (const line of columns(rows)) writeLine(context, line);
  const body = '{"email":"you@example.com","password":"a long passphrase","display_name":"You"}';
  writeLine(context, `  data     ${dataDir} (each process: output.log and logs in the folder of its name)`);
  writeLine(context, `  commands find it by its settings: set -a; . ${settingsFile}; set +a`);
  writeLine(context, '  next     register the first account, whose tenant runs the installation:');
  writeLine(
    context,
    `           curl -s ${edge}/api/auth/register -H 'content-type: application/json' -d '${body}'`,
  );
}
