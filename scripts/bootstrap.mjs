import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './lib/dependencies.mjs';
import { continueWithPinnedNode, withFirstOnPath } from './lib/node.mjs';
import { isSupported } from './lib/node-version.mjs';
import { onOrphaned } from './lib/processes.mjs';

/**
 * Returns once the sources can run: under a suitable Node and with the dependencies installed. If Node is too
 * old, the whole script is handed to the pinned one and this never returns. Runs on Node 18 and newer,
 * imports no package.
 * @param {string} scriptUrl `import.meta.url` of the calling script
 */
export async function bootstrap(scriptUrl) {
  if (process.env.npm_lifecycle_event) onOrphaned(() => process.kill(process.pid, 'SIGTERM'));
  if (!isSupported(process.versions.node)) await continueWithPinnedNode(fileURLToPath(scriptUrl));
  Object.assign(process.env, withFirstOnPath(process.execPath));
  await ensureDependencies();
}
