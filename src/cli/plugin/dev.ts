import { messageOf } from '../../kit/errors.ts';
import type { PluginReply } from '../../world/plugins/plugins.contract.ts';
import { type CliContext, CommandError, EXIT, type ExitCode, writeLine } from '../context.ts';
import { styled } from '../terminal.ts';
import { buildPlugin } from './build-plugin.ts';
import { changesIn } from './changes.ts';
import { type PluginFiles, pluginFolder } from './folder.ts';
import { printProblems } from './problems.ts';
import { createUpload, type ServiceOptions, type Upload } from './upload.ts';
import { zipOf } from './zip.ts';

export type DevOptions = ServiceOptions;

/** Keeps a plugin of a running service like its folder, until the process is to end. What does not build stays here. */
export async function dev(
  context: CliContext,
  typed: string | undefined,
  options: DevOptions,
): Promise<ExitCode> {
  const folder = await pluginFolder(context, typed);
  const upload = createUpload(context, options);
  writeLine(context, `Watching ${folder}; Ctrl-C ends it.`);
  for await (const _ of changesIn(folder, context.stop)) await renew(context, folder, upload);
  return EXIT.ok;
}

async function renew(context: CliContext, folder: string, upload: Upload): Promise<void> {
  const files = await filesNow(context, folder);
  if (files === null) return complain(context, 'Not built, so the service keeps what it has.');
  const uploaded = await upload(await zipOf(files));
  if (uploaded.ok) for (const line of linesOf(uploaded.plugin)) writeLine(context, line);
  else if (!context.stop.aborted) complain(context, `Not uploaded: ${uploaded.detail}`);
}

async function filesNow(context: CliContext, folder: string): Promise<PluginFiles | null> {
  try {
    const { files, problems } = await buildPlugin(folder, { forDevelopment: true });
    printProblems(context, problems);
    return files;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // A file that goes while it is read comes back with the next change.
    complain(context, messageOf(error));
    return null;
  }
}

const complain = (context: CliContext, line: string) => writeLine(context, styled(context, 'red', line));

function linesOf({ id, version, state, permissions }: PluginReply): string[] {
  const asked = permissions.filter((one) => one.state === 'asked').map(({ permission }) => permission);
  const waits = `An admin must answer first: it wants ${asked.join(', ')} (the page Plugins, or POST /api/plugins/${id}/grants)`;
  return [
    `${new Date().toLocaleTimeString('en-GB')} uploaded ${id} ${version}: ${state}`,
    ...(asked.length > 0 ? [waits] : []),
  ];
}
