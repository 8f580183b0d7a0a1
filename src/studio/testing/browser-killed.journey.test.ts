import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { createProfile, killBrowser } from './browser.ts';
import { noAxeFaults, startStudio } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const ADDRESS = '/w/default/character/mira_vale';
const ROUNDS = 5;

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of Mira Vale' });
const wantOf = (page: Page) => page.getByLabel('Want', { exact: true });
const shownIn = (place: Locator): Promise<string> =>
  place.evaluate((element) => ('value' in element ? String(element.value) : (element.textContent ?? '')));

interface Letter {
  /** All that was typed with this one. */
  typed: string;
  /** When the page had taken it in, which is before it is painted, and the browser had stored something else. */
  at: number;
  /** How long that took. */
  took: number;
}

declare global {
  interface Window {
    probe: IDBDatabase;
  }
}

const openProbe = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('probe');
        opening.onupgradeneeded = () => opening.result.createObjectStore('numbers');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          window.probe = opening.result;
          resolve();
        };
      }),
  );

/** Resolves once the browser has stored a number: no draft can be stored sooner. */
const storeNumber = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const storing = window.probe.transaction('numbers', 'readwrite', { durability: 'relaxed' });
        storing.objectStore('numbers').put(1, 'one');
        storing.oncomplete = () => resolve();
        storing.onerror = () => reject(storing.error);
      }),
  );

async function typeByLetter(page: Page, words: string): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const [index, letter] of [...words].entries()) {
    const begun = performance.now();
    await page.keyboard.type(letter);
    await storeNumber(page);
    const at = performance.now();
    letters.push({ typed: words.slice(0, index + 1), at, took: at - begun });
  }
  return letters;
}

/** All but the letters of the last 50 ms, which are more on a machine that takes long to store anything. */
function mustBeKept(letters: readonly Letter[], killedAt: number): string {
  const grace = Math.max(50, 4 * Math.max(...letters.map(({ took }) => took)));
  return letters.findLast(({ at }) => at <= killedAt - grace)?.typed ?? '';
}

test('the browser is killed while somebody types: what was on the screen is there again', async (t) => {
  const studio = await startStudio(t);
  const profile = createProfile(t);
  const file = join(studio.content, MIRA);
  const open = () => studio.openAsOwner(ADDRESS, { profile, expected: [/net::ERR_INTERNET_DISCONNECTED/] });
  let page = await open();
  for (let round = 1; round <= ROUNDS; round++) {
    const placeIn = round % 2 === 0 ? textOf : wantOf;
    await placeIn(page).click();
    await page.keyboard.press('Control+End');
    // The draft alone has what is typed from here on.
    await page.context().setOffline(true);
    await openProbe(page);
    const letters = await typeByLetter(page, ` In round ${round} a bell rings.`);
    await pause(30);
    const kept = mustBeKept(letters, performance.now());
    killBrowser(profile);
    assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(`In round ${round}`));

    page = await open();
    const place = placeIn(page);
    await until(
      async () => (await shownIn(place)).includes(kept),
      async () => ({ kept, shown: await shownIn(place) }),
    );
  }
  await page.keyboard.press('Control+s');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await noAxeFaults(page);
});
