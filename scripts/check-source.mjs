import { globSync, readFileSync } from 'node:fs';
import { inRoot, root } from './lib/paths.mjs';
import { checkSources } from './lib/source-rules.mjs';

const files = globSync(['{src,test,bench,plugins}/**/*.{ts,tsx}', 'scripts/**/*.mjs'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  // The rules contain the patterns that they forbid.
  .filter((file) => !file.startsWith('scripts/lib/source-rules.'));
const findings = checkSources(
  new Map(files.sort().map((file) => [file, readFileSync(inRoot(file), 'utf8')])),
);

for (const finding of findings) console.log(finding);
console.log(`${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
