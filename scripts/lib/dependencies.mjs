import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { npm } from './processes.mjs';

/** Installs the packages in package-lock.json, unless node_modules holds exactly those. */
export async function ensureDependencies() {
  const reason = whyStale(inRoot('package-lock.json'), inRoot('node_modules/.package-lock.json'));
  if (!reason) return;
  console.error(`Installing dependencies (${reason})`);
  // The build and the tests need the development packages, whatever NODE_ENV says.
  const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await npm(['ci', ...flags], { cwd: inRoot(), stdio: 'pipe' });
  if (code === 0) return;
  console.error(output.trim());
  console.error('Installing dependencies failed. Check the network, then run the command again.');
  process.exit(2);
}

/**
 * The reason for which the installed packages differ from the lock file, or undefined if they do not. npm writes the
 * second file, its record of the installed packages, as the last step of an installation.
 */
export function whyStale(lockFile, installedFile) {
  if (!existsSync(installedFile)) return 'none are installed';
  const wanted = packagesOf(lockFile);
  const installed = packagesOf(installedFile);
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link) continue;
    const present = installed[path];
    if (!present && (entry.optional || entry.devOptional || entry.peer)) continue;
    if (present?.version !== entry.version || present?.integrity !== entry.integrity) {
      return `${path.replace('node_modules/', '')} ${entry.version} is missing`;
    }
  }
  return undefined;
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
