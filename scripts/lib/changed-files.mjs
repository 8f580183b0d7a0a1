import { execFileSync } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * The files that differ from the point where this branch left `main`: committed, staged, edited, new and
 * deleted ones.
 * @returns {string[]} paths in the checkout
 */
export function changedFiles() {
  const base = git('merge-base', 'HEAD', mainBranch())[0];
  const changed = git('diff', '--name-only', '--no-renames', base);
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard')])].sort();
}

/** A clone of another branch has only the remote's `main`. */
function mainBranch() {
  const [known] = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main');
  if (known === undefined)
    throw new Error('There is no branch main to compare with: fetch it, or name the tests to run');
  return known;
}

const git = (...args) =>
  execFileSync('git', ['-c', 'core.quotePath=off', ...args], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
