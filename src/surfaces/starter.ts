import { constants } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { sha256Hex } from '../kit/crypto.ts';
import { SAMPLE_LIST } from '../world/projects/index.ts';
import { packageRoot } from './package-root.ts';

async function isEmptyOrMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** A mount point cannot be replaced, only filled. */
async function moveInto(staging: string, folder: string, reason: NodeJS.ErrnoException): Promise<void> {
  if (reason.code !== 'EBUSY' && reason.code !== 'EXDEV') throw reason;
  await cp(staging, folder, { recursive: true });
  await rm(staging, { recursive: true });
}

/**
 * Fills a missing or empty content folder with the starter templates, rules and skills and, if `sample`, the sample world, in one step.
 * Returns false for a folder with anything in it.
 */
export async function fillContentFolder(folder: string, options: { sample: boolean }): Promise<boolean> {
  if (!(await isEmptyOrMissing(folder))) return false;
  const starter = join(packageRoot(), 'starter');
  await mkdir(dirname(folder), { recursive: true });
  const staging = `${folder}.canonry-${process.pid}.tmp`;
  await rm(staging, { recursive: true, force: true });
  await cp(join(starter, '_Templates'), join(staging, '_Templates'), { recursive: true });
  await mkdir(join(staging, '_Templates', 'Custom'));
  await cp(join(starter, '_Rules'), join(staging, '_Rules'), { recursive: true });
  await cp(join(starter, '_Skills'), join(staging, '_Skills'), { recursive: true });
  await cp(join(starter, 'README.md'), join(staging, 'README.md'));
  if (options.sample) await addSample(join(starter, 'sample'), staging);
  await rename(staging, folder).catch((error: NodeJS.ErrnoException) => moveInto(staging, folder, error));
  return true;
}

/** The list later tells sample files from the user's own work. */
async function addSample(sample: string, folder: string): Promise<void> {
  await cp(sample, folder, { recursive: true });
  const entries = await readdir(sample, { recursive: true, withFileTypes: true });
  const lines: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    lines.push(`${sha256Hex(await readFile(path))}  ${relative(sample, path)}\n`);
  }
  await mkdir(dirname(join(folder, SAMPLE_LIST)), { recursive: true });
  await writeFile(join(folder, SAMPLE_LIST), lines.sort().join(''));
}

const STARTER_FOLDERS = { templates: '_Templates/Standard', rules: '_Rules' };

/** Adds the starter templates or rules that a folder lacks and leaves existing ones alone. Returns the number added. */
export async function addMissing(folder: string, what: keyof typeof STARTER_FOLDERS): Promise<number> {
  const source = join(packageRoot(), 'starter', STARTER_FOLDERS[what]);
  const target = join(folder, STARTER_FOLDERS[what]);
  await mkdir(target, { recursive: true });
  let added = 0;
  for (const name of await readdir(source)) {
    try {
      await copyFile(join(source, name), join(target, name), constants.COPYFILE_EXCL);
      added += 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return added;
}
